import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Holder } from '../resilience/fair-shares.ts';
import { TurnQueue } from '../resilience/turn-queue.ts';
import { type BodyFraming, framingOf } from './body-framing.ts';
import { addressOf, holderAt } from './client-address.ts';
import type { DrainLimits } from './drain-limits.ts';
import { lingeringClose } from './lingering-close.ts';

/** The bytes that end the head of a request. The parser accepts no other line ends. */
const BLANK_LINE = '\r\n\r\n';
/** The maximum number of bytes of a blank line that arrive before its last byte. */
const SEAM = BLANK_LINE.length - 1;
/** The maximum number of bytes of a body to parse at a time, which may be thousands of chunks or form fields. */
const MOST_BYTES = 16 * 1024;
/** The time after which a turn parses no further part of a body, in ms. */
const TURN_MS = 1;
/** The maximum number of turns in one iteration of the event loop. */
const TURNS_PER_ITERATION = 4;
/** The time after which an iteration of the event loop begins no further turn, in ms. */
const ITERATION_MS = 4;
const NOTHING: Buffer = Buffer.alloc(0);
const NO_BODY = framingOf({ headers: {} });
const CR = 0x0d;
const LF = 0x0a;

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
    waiting.limitNextIteration();
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
  /** The number of scheduled turns that have not begun. */
  #turns = 0;
  /** The time for the turns of the next iteration, in ms. */
  #iterationMs = ITERATION_MS;
  /** The time after which the iteration begins no further turn, as `performance.now()` counts it. */
  #until = 0;

  /** Limits the next iteration to one turn: Node accepts one connection per iteration, and more connections may be waiting. */
  limitNextIteration(): void {
    this.#iterationMs = 0;
  }

  /** Gives a connection a turn. A connection must not be added while it waits. */
  add(holder: Holder, connection: Connection): void {
    this.#queue.push(holder, connection);
    if (this.#turns === 0) this.#schedule();
  }

  /** Each turn has a callback of its own, so that Node runs the ticks and microtasks of a turn before the next turn begins. */
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
  /** The received bytes that are not parsed yet. */
  #held = NOTHING;
  /** The last bytes of a head that has not arrived completely; null if no head has begun. */
  #headTail: string | null = null;
  /** The body behind the last head. */
  #body: BodyFraming = NO_BODY;
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

  /**
   * Handles a request. The parser gets a head only behind the preceding body, and while no request is current. If it reports
   * a request at another time, it and the framing disagree about the end of a body, so the connection is closed.
   */
  accept(exchange: Exchange): void {
    if (this.#current !== null || !this.#body.isComplete) {
      this.#socket.destroy();
      return;
    }
    this.#current = exchange;
    const { request, response } = exchange;
    this.#body = framingOf(request);
    response.once('close', () => this.#goOn());
    this.#handler(request, response);
  }

  end(lastStep: () => void): void {
    this.#lastStep = lastStep;
    if (this.#current?.request.complete !== true) this.#runLastStep();
  }

  #runLastStep(): void {
    const step = this.#lastStep!;
    this.#held = NOTHING;
    step();
  }

  #goOn(): void {
    this.#current = null;
    if (this.#lastStep !== null && !this.#isEnding()) this.#runLastStep();
    this.#proceed();
  }

  /** Starts a request, unless one is running, and parses what has arrived of its body, within the time of a turn. */
  takeTurn(): void {
    this.#awaitsTurn = false;
    const until = performance.now() + TURN_MS;
    if (this.#mayParse()) this.#parseNext();
    while (this.#isReceiving() && performance.now() < until) this.#parseNext();
    this.#proceed();
  }

  #proceed(): void {
    // After the last response, no bytes may be parsed, because Node may reuse the parser for another connection.
    if (this.#isEnding()) this.#held = NOTHING;
    if (this.#mayParse() && !this.#awaitsTurn) {
      this.#awaitsTurn = true;
      this.#busy(this.#socket);
      this.#waiting.add(this.#holder, this);
    }
    if (this.#holdsEnd && this.#held.length === 0) {
      this.#holdsEnd = false;
      this.#onEnd();
    }
    this.#pauseOrResume();
    if (!this.#hasRequest()) this.#idle(this.#socket);
  }

  /** Whether a request waits for its response, or received bytes may contain one. */
  #hasRequest(): boolean {
    return this.#current !== null || this.#held.length > 0;
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

  #parseNext(): void {
    const end = this.#body.isComplete
      ? this.#endOfHead()
      : this.#body.take(this.#held.subarray(0, MOST_BYTES));
    const part = this.#held.subarray(0, end);
    this.#held = this.#held.subarray(end);
    this.#parse(part);
  }

  /** The position after the next head, or after the part of it that has arrived. */
  #endOfHead(): number {
    // The parser ignores line ends in front of a head.
    const begin = this.#headTail === null ? beginOfHead(this.#held) : 0;
    const tail = this.#headTail ?? '';
    const bytes = this.#held.subarray(begin);
    const end = endOfBlankLine(tail, bytes);
    const last = tail + bytes.subarray(-SEAM).toString('latin1');
    this.#headTail = end === -1 && last !== '' ? last.slice(-SEAM) : null;
    return end === -1 ? this.#held.length : begin + end;
  }

  /** Whether the held bytes belong to a body. It may be that of a request that was answered early. */
  #isReceiving(): boolean {
    return this.#mayParse() && !this.#body.isComplete;
  }

  #mayParse(): boolean {
    const mayBegin = this.#current === null || !this.#body.isComplete;
    return this.#held.length > 0 && mayBegin && this.#lastStep === null && !this.#isEnding();
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

function beginOfHead(bytes: Buffer): number {
  const begin = bytes.findIndex((byte) => byte !== CR && byte !== LF);
  return begin === -1 ? bytes.length : begin;
}

/** The position after the first blank line, which may begin in the text before; -1 if there is none. */
function endOfBlankLine(before: string, bytes: Buffer): number {
  const split = (before + bytes.toString('latin1', 0, SEAM)).indexOf(BLANK_LINE);
  if (split !== -1) return split + BLANK_LINE.length - before.length;
  const start = bytes.indexOf(BLANK_LINE, 0, 'latin1');
  return start === -1 ? -1 : start + BLANK_LINE.length;
}
