import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Holder } from '../resilience/fair-shares.ts';
import { TurnQueue } from '../resilience/turn-queue.ts';
import { addressOf, holderAt } from './client-address.ts';
import type { DrainLimits } from './drain-limits.ts';
import { lingeringClose } from './lingering-close.ts';

/** The bytes that end the headers of a request, and also a chunked body. The parser accepts no other line ends. */
const BLANK_LINE = '\r\n\r\n';
/**
 * The minimum number of bytes to parse at a time, because a client may send only blank lines, which would be parsed
 * one by one.
 */
const LEAST_BYTES = 256;
/** The maximum number of turns in one iteration of the event loop. */
const TURNS_PER_ITERATION = 4;
const NOTHING: Buffer = Buffer.alloc(0);

export interface TurnOptions {
  readonly handler: RequestListener;
  /** Called when all requests that a connection has received are answered. */
  readonly idle: (socket: Socket) => void;
  /** Called when a connection has received bytes that wait for their turn. */
  readonly busy: (socket: Socket) => void;
  /** Limits for bytes that a client sends after its last response. */
  readonly drain: DrainLimits;
}

/** Gives access to the pending response of each connection. */
export interface Turns {
  /** The pending response of a connection; undefined if the connection has no request. */
  answerOn(socket: Socket): ServerResponse | undefined;
  /**
   * Ends a connection on which no further request can be parsed. The step that ends it runs once all completely
   * received requests are answered, and at once if there is none.
   */
  end(socket: Socket, lastStep: () => void): void;
}

/**
 * Handles pipelined requests of a connection one after the other. By default, Node starts the handlers of all requests
 * in a packet at once, and keeps later responses in memory until the client has read the earlier ones. Here, the parser
 * gets the next request after the previous response was sent. Until then, the client's bytes wait in the socket buffer
 * of the system, except for a chunk of at most 64 KiB.
 *
 * The addresses of clients take turns, and an iteration of the event loop has few turns. In a turn, a connection starts
 * one request, or parses its received part of a body. A client with many full connections therefore delays the requests
 * of other clients only by the work of few turns.
 */
export function serveInTurn(server: Server, options: TurnOptions): Turns {
  const connections = new WeakMap<Socket, Connection>();
  const waiting = new WaitingConnections();
  server.on('connection', (socket) => {
    connections.set(socket, new Connection(socket, { ...options, waiting }));
  });
  server.on('request', (request, response) =>
    connections.get(request.socket)!.accept({ request, response }),
  );
  return {
    answerOn: (socket) => connections.get(socket)?.answer,
    end: (socket, lastStep) => connections.get(socket)!.end(lastStep),
  };
}

interface Exchange {
  readonly request: Parameters<RequestListener>[0];
  readonly response: Parameters<RequestListener>[1];
}

/** The connections that wait for a turn. */
class WaitingConnections {
  #queue = new TurnQueue<Connection>();
  /** The number of turns that are scheduled for the next iteration of the event loop. */
  #scheduled = 0;

  /** Gives a connection a turn. A connection must not be added while it waits. */
  add(holder: Holder, connection: Connection): void {
    this.#queue.push(holder, connection);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled >= Math.min(this.#queue.size, TURNS_PER_ITERATION)) return;
    this.#scheduled += 1;
    setImmediate(() => {
      this.#scheduled -= 1;
      const next = this.#queue.shift()!;
      // Without connections the round ends. The queue would still remember each address that had one turn in it.
      if (this.#queue.size === 0) this.#queue = new TurnQueue();
      next.takeTurn();
      this.#schedule();
    });
  }
}

interface ConnectionOptions extends TurnOptions {
  readonly waiting: WaitingConnections;
}

class Connection {
  readonly #socket: Socket;
  readonly #waiting: WaitingConnections;
  readonly #holder: Holder;
  readonly #handler: RequestListener;
  readonly #idle: (socket: Socket) => void;
  readonly #busy: (socket: Socket) => void;
  /** Node's own `data` listener, which passes bytes to the HTTP parser. */
  readonly #parse: (bytes: Buffer) => void;
  /** Node's own `end` listener, which ends the connection. */
  readonly #onEnd: () => void;
  #current: Exchange | null = null;
  /** Requests that were parsed together with an earlier request, because they are shorter than `LEAST_BYTES`. */
  readonly #parked: Exchange[] = [];
  /** The received bytes that are not parsed yet. */
  #held = NOTHING;
  #isPaused = false;
  #awaitsTurn = false;
  /**
   * Whether the client has ended its side while requests that it sent before wait for their turn. Node learns of the end
   * when the last of them has begun, and then ends the connection, because most of these clients have disconnected.
   */
  #holdsEnd = false;
  /** The step that ends the connection after the requests that were completely received; null before such an end. */
  #lastStep: (() => void) | null = null;

  constructor(socket: Socket, { handler, idle, busy, drain, waiting }: ConnectionOptions) {
    this.#socket = socket;
    this.#handler = handler;
    this.#idle = idle;
    this.#busy = busy;
    this.#waiting = waiting;
    this.#holder = holderAt(addressOf(socket.remoteAddress ?? '') ?? '');
    const close = socket.destroySoon.bind(socket);
    // Node calls `destroySoon` after the last response of a connection. If the client is still sending, closing the
    // socket at once could discard the response.
    let isLingering = false;
    socket.destroySoon = () => {
      if (isLingering) return;
      isLingering = this.#isSending();
      if (isLingering) lingeringClose(socket, drain);
      else close();
    };
    const [parse] = socket.listeners('data') as [(bytes: Buffer) => void];
    this.#parse = parse;
    socket.off('data', parse).on('data', (bytes: Buffer) => {
      this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
      this.#proceed();
    });
    const onEnd = socket.listeners('end').at(-1) as () => void;
    this.#onEnd = onEnd;
    socket.off('end', onEnd).on('end', () => {
      this.#holdsEnd = true;
      this.#proceed();
    });
  }

  get answer(): ServerResponse | undefined {
    return this.#current?.response;
  }

  accept(exchange: Exchange): void {
    if (this.#current === null) this.#handle(exchange);
    else this.#parked.push(exchange);
  }

  end(lastStep: () => void): void {
    this.#lastStep = lastStep;
    const next = this.#current ?? this.#parked[0];
    if (next?.request.complete !== true) this.#runLastStep();
  }

  #runLastStep(): void {
    const step = this.#lastStep!;
    this.#parked.length = 0;
    this.#held = NOTHING;
    step();
  }

  #handle(exchange: Exchange): void {
    this.#current = exchange;
    const { request, response } = exchange;
    response.once('close', () => this.#goOn());
    this.#handler(request, response);
  }

  #goOn(): void {
    this.#current = null;
    const isLast = this.#lastStep !== null && this.#parked[0]?.request.complete !== true;
    if (isLast && !this.#isEnding()) this.#runLastStep();
    this.#proceed();
  }

  /** Parses the received part of the current body, or starts the next request. */
  takeTurn(): void {
    this.#awaitsTurn = false;
    if (this.#isReceiving()) {
      // All held bytes are parsed, because Node resumes the socket while a reader takes the body, so more bytes arrive.
      while (this.#isReceiving()) this.#parsePart();
    } else if (this.#mayStart()) {
      const next = this.#parked.shift();
      if (next === undefined) this.#parsePart();
      else this.#handle(next);
    }
    this.#proceed();
  }

  #proceed(): void {
    // After the last response, no bytes may be parsed, because Node may reuse the parser for another connection.
    if (this.#isEnding()) this.#held = NOTHING;
    if ((this.#isReceiving() || this.#mayStart()) && !this.#awaitsTurn) {
      this.#awaitsTurn = true;
      this.#busy(this.#socket);
      this.#waiting.add(this.#holder, this);
    }
    if (this.#holdsEnd && this.#held.length === 0 && this.#parked.length === 0) {
      this.#holdsEnd = false;
      this.#onEnd();
    }
    this.#pauseOrResume();
    if (!this.#hasRequest()) this.#idle(this.#socket);
  }

  /** Whether a request waits for its response, or received bytes may contain one. */
  #hasRequest(): boolean {
    return this.#current !== null || this.#parked.length > 0 || this.#held.length > 0;
  }

  /**
   * Pauses the socket while unparsed bytes are held. Otherwise the socket is read, so that a disconnect of the client
   * is noticed, unless the reader of the body is not ready: Node resumes the socket when it is.
   */
  #pauseOrResume(): void {
    if (this.#held.length > 0) this.#socket.pause();
    else if (this.#isPaused && !this.#isBodyFull()) this.#socket.resume();
    this.#isPaused = this.#held.length > 0;
  }

  #isBodyFull(): boolean {
    const request = this.#current?.request;
    if (request === undefined || request.complete) return false;
    return request.readableLength >= request.readableHighWaterMark;
  }

  #parsePart(): void {
    const end = endOfPart(this.#held);
    const part = this.#held.subarray(0, end);
    this.#held = this.#held.subarray(end);
    this.#parse(part);
  }

  /** Whether the held bytes belong to the body of the current request. */
  #isReceiving(): boolean {
    const isIncomplete = this.#current?.request.complete === false;
    const mayParse = this.#parked.length === 0 && this.#lastStep === null && !this.#isEnding();
    return isIncomplete && mayParse && this.#held.length > 0;
  }

  #mayStart(): boolean {
    const hasBytes = this.#held.length > 0 && this.#lastStep === null;
    const hasNext = this.#parked.length > 0 || hasBytes;
    return hasNext && this.#current === null && !this.#isEnding();
  }

  /** Whether the client has sent or is sending bytes that will not be parsed. */
  #isSending(): boolean {
    if (this.#socket.writableEnded) return false;
    return this.#held.length > 0 || this.#current?.request.complete === false;
  }

  /** Whether the last response was written, or the connection was closed after an error of the parser. */
  #isEnding(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }
}

/** The position after the first blank line behind `LEAST_BYTES`, so that only few requests are parsed at once. */
function endOfPart(bytes: Buffer): number {
  const index = bytes.indexOf(BLANK_LINE, LEAST_BYTES - BLANK_LINE.length, 'latin1');
  return index === -1 ? bytes.length : index + BLANK_LINE.length;
}
