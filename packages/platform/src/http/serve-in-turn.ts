import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DrainLimits } from './drain-limits.ts';
import { lingeringClose } from './lingering-close.ts';

/** Ends the head of a request, and a chunked body. The parser accepts no other line ends. */
const BLANK_LINE = '\r\n\r\n';
/** Least number of bytes that are parsed at a time: a client may send nothing but blank lines. */
const LEAST_BYTES = 256;
const NOTHING: Buffer = Buffer.alloc(0);

export interface TurnOptions {
  readonly handler: RequestListener;
  /** Limits for bytes that a client sends after its last answer. */
  readonly drain: DrainLimits;
}

/** Shows the answers that the connections of a listener wait for. */
export interface Turns {
  /** The answer that a connection waits for; undefined while it has no request. */
  answerOn(socket: Socket): ServerResponse | undefined;
}

/**
 * Handles the requests of a connection one after the other. Node would start a handler for each
 * request of a packet at once, and keep all answers until the client has read those before. Here the
 * parser gets the next request when the one before it is answered; until then, what the client sends
 * waits in the buffers of the system, except for a chunk of at most 64 KiB.
 */
export function serveInTurn(server: Server, options: TurnOptions): Turns {
  const connections = new WeakMap<Socket, Connection>();
  server.on('connection', (socket) => connections.set(socket, new Connection(socket, options)));
  server.on('request', (request, response) =>
    connections.get(request.socket)!.accept({ request, response }),
  );
  return { answerOn: (socket) => connections.get(socket)?.answer };
}

interface Exchange {
  readonly request: Parameters<RequestListener>[0];
  readonly response: Parameters<RequestListener>[1];
}

class Connection {
  readonly #socket: Socket;
  readonly #handler: RequestListener;
  /** Node's own listener, which feeds the parser. */
  readonly #parse: (bytes: Buffer) => void;
  #current: Exchange | null = null;
  /** Requests that were parsed together with an earlier one because they fit into `LEAST_BYTES`. */
  readonly #parked: Exchange[] = [];
  /** Received bytes that are not parsed yet. */
  #held = NOTHING;
  #isPaused = false;

  constructor(socket: Socket, { handler, drain }: TurnOptions) {
    this.#socket = socket;
    this.#handler = handler;
    const close = socket.destroySoon.bind(socket);
    // Node calls this method after the last answer.
    socket.destroySoon = () => {
      if (this.#isSending()) lingeringClose(socket, drain);
      else close();
    };
    const [parse] = socket.listeners('data') as [(bytes: Buffer) => void];
    this.#parse = parse;
    socket.off('data', parse).on('data', (bytes: Buffer) => {
      this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
      this.#feed();
    });
  }

  get answer(): ServerResponse | undefined {
    return this.#current?.response;
  }

  accept(exchange: Exchange): void {
    if (this.#current === null) this.#handle(exchange);
    else this.#parked.push(exchange);
  }

  #handle(exchange: Exchange): void {
    this.#current = exchange;
    const { request, response } = exchange;
    response.once('close', () => this.#goOn());
    this.#handler(request, response);
  }

  #goOn(): void {
    this.#current = null;
    const next = this.#isEnding() ? undefined : this.#parked.shift();
    if (next !== undefined) this.#handle(next);
    this.#feed();
  }

  #feed(): void {
    while (this.#held.length > 0 && !this.#isEnding() && !this.#awaitsAnswer()) {
      const end = endOfPart(this.#held);
      const part = this.#held.subarray(0, end);
      this.#held = this.#held.subarray(end);
      this.#parse(part);
    }
    // After the end, Node may have given the parser to another connection.
    if (this.#isEnding()) this.#held = NOTHING;
    // An empty buffer keeps the connection open for reading, so that the end of the stream shows that the client left.
    if (this.#held.length > 0) this.#socket.pause();
    else if (this.#isPaused) this.#socket.resume();
    this.#isPaused = this.#held.length > 0;
  }

  /** Whether a complete request waits for its answer; before that, further bytes belong to its body. */
  #awaitsAnswer(): boolean {
    return this.#parked.length > 0 || this.#current?.request.complete === true;
  }

  /** Whether the client has sent or is sending bytes that will not be parsed. */
  #isSending(): boolean {
    if (this.#socket.writableEnded) return false;
    return this.#held.length > 0 || this.#current?.request.complete === false;
  }

  /** Whether the last answer was written, or the parser has failed. */
  #isEnding(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }
}

/** The end of the next part to parse: a blank line, so that few requests are parsed at once. */
function endOfPart(bytes: Buffer): number {
  const index = bytes.indexOf(BLANK_LINE, LEAST_BYTES - BLANK_LINE.length, 'latin1');
  return index === -1 ? bytes.length : index + BLANK_LINE.length;
}
