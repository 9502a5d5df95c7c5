import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Holder } from '../resilience/fair-shares.ts';
import { TurnQueue } from '../resilience/turn-queue.ts';
import { addressOf, holderAt } from './client-address.ts';
import type { DrainLimits } from './drain-limits.ts';
import { lingeringClose } from './lingering-close.ts';

/** The bytes that end the head of a request, and also a chunked body. The parser accepts no other line ends. */
const BLANK_LINE = '\r\n\r\n';
/** The maximum number of bytes of a blank line that arrive before its last byte. */
const SEAM = BLANK_LINE.length - 1;
/**
 * The minimum number of bytes of a chunked body to parse at a time, because a client may send only blank lines, which
 * would be parsed one by one.
 */
const LEAST_BYTES = 256;
/** The maximum number of bytes of a body to parse at a time, which may be thousands of chunks or members of a form. */
const MOST_BYTES = 16 * 1024;
/** The time after which a turn parses no further part of a body, in ms. */
const TURN_MS = 1;
/** The maximum number of turns in one iteration of the event loop. */
const TURNS_PER_ITERATION = 4;
/** The time after which an iteration of the event loop begins no further turn, in ms. */
const ITERATION_MS = 4;
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
 * The addresses of clients take turns, and an iteration of the event loop has time for few turns. In a turn, a
 * connection starts one request, and parses a part of its body. A client with many full connections therefore delays
 * the requests of other clients only by the work of few turns.
 */
export function serveInTurn(server: Server, options: TurnOptions): Turns {
  const connections = new WeakMap<Socket, Connection>();
  const waiting = new WaitingConnections();
  server.on('connection', (socket) => {
    waiting.hurry();
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
  /** The number of turns that the next iteration of the event loop may still begin. */
  #turns = 0;
  /** The time for the turns of the next iteration, in ms. */
  #iterationMs = ITERATION_MS;
  /** The time after which the iteration begins no further turn, as `performance.now()` counts it. */
  #until = 0;

  /** Limits the next iteration to one turn, because Node accepts one connection in each, and more may be waiting for that. */
  hurry(): void {
    this.#iterationMs = 0;
  }

  /** Gives a connection a turn. A connection must not be added while it waits. */
  add(holder: Holder, connection: Connection): void {
    this.#queue.push(holder, connection);
    if (this.#turns === 0) this.#schedule();
  }

  /** Each turn has a callback of its own, so that Node does what a turn has caused before the next turn begins. */
  #schedule(): void {
    this.#turns = TURNS_PER_ITERATION;
    for (let turn = 0; turn < this.#turns; turn += 1) setImmediate(() => this.#take());
  }

  #take(): void {
    const now = performance.now();
    const isFirst = this.#turns === TURNS_PER_ITERATION;
    if (isFirst) {
      this.#until = now + this.#iterationMs;
      this.#iterationMs = ITERATION_MS;
    }
    this.#turns -= 1;
    if (isFirst || now < this.#until) this.#next()?.takeTurn();
    if (this.#turns === 0 && this.#queue.size > 0) this.#schedule();
  }

  #next(): Connection | undefined {
    const next = this.#queue.shift();
    // Without connections the round ends. The queue would still remember each address that had one turn in it.
    if (this.#queue.size === 0) this.#queue = new TurnQueue();
    return next;
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
  /** Requests that were parsed together with the end of a chunked body, because they are shorter than `LEAST_BYTES`. */
  readonly #parked: Exchange[] = [];
  /** The received bytes that are not parsed yet. */
  #held = NOTHING;
  /** The last bytes that were parsed, which may be the beginning of a blank line. */
  #lastBytes = '';
  /** The number of bytes of the current body that are still to be parsed; 0 if only the parser knows where it ends. */
  #bodyLeft = 0;
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
      this.#held = NOTHING;
      if (isLingering) lingeringClose(socket, drain);
      else close();
    };
    // While bytes are held, the socket stays paused, so that no more bytes pile up. Node would resume it whenever a reader
    // takes the body.
    const resume = socket.resume.bind(socket);
    socket.resume = () => (this.#held.length > 0 ? socket : resume());
    const [parse] = socket.listeners('data') as [(bytes: Buffer) => void];
    this.#parse = parse;
    socket.off('data', parse).on('data', (bytes: Buffer) => {
      this.#held = bytes;
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
    const { 'transfer-encoding': coding, 'content-length': length } = request.headers;
    this.#bodyLeft = coding === undefined ? Number(length ?? 0) : 0;
    response.once('close', () => this.#goOn());
    this.#handler(request, response);
  }

  #goOn(): void {
    this.#current = null;
    const isLast = this.#lastStep !== null && this.#parked[0]?.request.complete !== true;
    if (isLast && !this.#isEnding()) this.#runLastStep();
    this.#proceed();
  }

  /** Starts the next request unless one is running, and parses what has arrived of its body, within the time of a turn. */
  takeTurn(): void {
    this.#awaitsTurn = false;
    const until = performance.now() + TURN_MS;
    if (this.#mayStart()) this.#start();
    else if (this.#isReceiving()) this.#parseBody();
    while (this.#isReceiving() && performance.now() < until) this.#parseBody();
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

  #start(): void {
    const next = this.#parked.shift();
    if (next === undefined) {
      this.#parseTo(endOfHead(this.#lastBytes, this.#held));
    } else {
      this.#handle(next);
      // The beginning of its body was parsed with the head.
      this.#bodyLeft = 0;
    }
  }

  #parseBody(): void {
    const isKnown = this.#bodyLeft > 0;
    const known = Math.min(this.#held.length, this.#bodyLeft, MOST_BYTES);
    this.#bodyLeft -= known;
    this.#parseTo(isKnown ? known : endOfPart(this.#held));
  }

  #parseTo(end: number): void {
    const part = this.#held.subarray(0, end);
    this.#held = this.#held.subarray(end);
    this.#lastBytes = (this.#lastBytes + part.subarray(-SEAM).toString('latin1')).slice(-SEAM);
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

/** The position after the first blank line, which may begin in the bytes before; the end if there is none. */
function endOfHead(before: string, bytes: Buffer): number {
  const seam = before + bytes.toString('latin1', 0, SEAM);
  const split = seam.indexOf(BLANK_LINE);
  if (split !== -1) return split + BLANK_LINE.length - before.length;
  return endOfBlankLine(bytes, 0);
}

/** The position after the first blank line behind `LEAST_BYTES`, so that few requests are parsed with the end of a body. */
function endOfPart(body: Buffer): number {
  return endOfBlankLine(body.subarray(0, MOST_BYTES), LEAST_BYTES - BLANK_LINE.length);
}

function endOfBlankLine(bytes: Buffer, from: number): number {
  const index = bytes.indexOf(BLANK_LINE, from, 'latin1');
  return index === -1 ? bytes.length : index + BLANK_LINE.length;
}
