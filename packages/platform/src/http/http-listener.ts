import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../lifecycle/start-error.ts';
import { answerMalformed } from './answer-malformed.ts';
import { AnswersInFlight } from './answers-in-flight.ts';
import { type BoundAddress, localUrlOf, urlOf } from './bound-address.ts';
import { DRAIN_LIMITS, type DrainLimits } from './drain-limits.ts';
import { limitExchange } from './limit-exchange.ts';
import { serveInTurn } from './serve-in-turn.ts';

export interface HttpListenerOptions {
  /** For messages: `API`, `operations listener`. */
  readonly name: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The variable that sets the address, for the error if this machine lacks it; SIGHTLINE_HOST if absent. */
  readonly hostVariable?: string;
  /** The variable that sets the port, for the error if the port is taken. */
  readonly portVariable: string;
  readonly handler: RequestListener;
  /** Further connections are closed at once; 2,000 if absent. */
  readonly maxConnections?: number;
  /**
   * How long a stop still accepts connections and requests, in milliseconds, so that load balancers and
   * clients notice it. 0 if absent.
   */
  readonly drainMs?: number;
  /** How long a stop then waits for running requests, in milliseconds; 12 seconds if absent. */
  readonly stopTimeoutMs?: number;
  /** How long a client may take no byte of its answer, in milliseconds; 30 seconds if absent. */
  readonly answerSilenceMs?: number;
  /** Time for a body that no handler reads, in milliseconds; 30 seconds if absent. */
  readonly unreadBodyMs?: number;
  /** Limits for bytes that clients send after their answer; `DRAIN_LIMITS` if absent. */
  readonly drain?: DrainLimits;
}

const SECOND = 1_000;
/** Long enough for a batch of 2 GiB at 5 Mbit/s; routes with small bodies set closer limits. */
const REQUEST_TIMEOUT_MS = 3_600 * SECOND;
const HEADERS_TIMEOUT_MS = 30 * SECOND;
/** Interval in which Node checks for late heads. */
const CHECK_EVERY_MS = 5 * SECOND;
/** Longer than the idle time of common load balancers (60 s), so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65 * SECOND;
const ANSWER_SILENCE_MS = 30 * SECOND;
const UNREAD_BODY_MS = 30 * SECOND;
/** With the drain (5 s) and the time that stores take to close, less than Kubernetes waits (30 s). */
const STOP_TIMEOUT_MS = 12 * SECOND;
/** Each connection may also hold a descriptor of a file or a store: together fewer than the usual 4,096. */
const MAX_CONNECTIONS = 2_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** A listening HTTP server; its disposal finishes requests in flight first. */
export class HttpListener implements AsyncDisposable {
  readonly #server: Server;
  readonly #drainMs: number;
  readonly #stopTimeoutMs: number;
  readonly #sockets = new Set<Socket>();
  readonly #answers: AnswersInFlight;
  /** The bound address; if the configured port is 0, with the port that the system chose. */
  readonly address: BoundAddress;

  private constructor(
    server: Server,
    answers: AnswersInFlight,
    { drainMs = 0, stopTimeoutMs = STOP_TIMEOUT_MS }: HttpListenerOptions,
  ) {
    const { address, port } = server.address() as AddressInfo;
    this.#server = server;
    this.#answers = answers;
    this.#drainMs = drainMs;
    this.#stopTimeoutMs = stopTimeoutMs;
    this.address = { host: address, port };
    const closeIdle = server.closeIdleConnections.bind(server);
    // Node counts a connection as idle once its answer is written, even if most of it is not sent yet.
    server.closeIdleConnections = () => {
      if (!answers.isSending) closeIdle();
    };
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (_request, response) => {
      response.once('close', () => setImmediate(() => this.#closeIdleIfStopped()));
    });
  }

  /** @throws StartError if the port is taken or the address is not this machine's. */
  static async open(options: HttpListenerOptions): Promise<HttpListener> {
    const server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // The handler refuses requests without a host: Node's own response is no problem document.
      requireHostHeader: false,
    });
    server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
    // Unknown expectations are ignored; Node would answer 417 without a body.
    server.on('checkExpectation', (...exchange) => void server.emit('request', ...exchange));
    const limits = {
      answerSilenceMs: options.answerSilenceMs ?? ANSWER_SILENCE_MS,
      unreadBodyMs: options.unreadBodyMs ?? UNREAD_BODY_MS,
      drain: options.drain ?? DRAIN_LIMITS,
    };
    const answers = new AnswersInFlight();
    const turns = serveInTurn(server, {
      drain: limits.drain,
      handler: (request, response) => {
        answers.add(response);
        limitExchange(request, response, limits);
        options.handler(request, response);
      },
    });
    answerMalformed(server, { turns, ...limits });
    await bind(server, options);
    return new HttpListener(server, answers, options);
  }

  /** The bound address as a URL without a path. */
  get url(): string {
    return urlOf(this.address);
  }

  /** The URL for clients on this machine, also if it listens on every address. */
  get localUrl(): string {
    return localUrlOf(this.address);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const server = this.#server;
    this.#answers.closeConnections();
    if (this.#drainMs > 0) await delay(this.#drainMs);
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    this.#closeUnused();
    const cutOff = setTimeout(() => server.closeAllConnections(), this.#stopTimeoutMs);
    await closed;
    clearTimeout(cutOff);
  }

  /**
   * Closes connections that have sent no bytes: browsers and pools connect in advance, and Node counts that as a
   * request in flight.
   */
  #closeUnused(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /** `close` leaves busy connections open; they become idle once their response is sent. */
  #closeIdleIfStopped(): void {
    if (!this.#server.listening) this.#server.closeIdleConnections();
  }
}

function bind(server: Server, options: HttpListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void =>
      reject(new StartError(explain(error, options), { cause: error }));
    server.once('error', onError);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

function explain(error: NodeJS.ErrnoException, options: HttpListenerOptions): string {
  const { name, host, port, portVariable, hostVariable = 'SIGHTLINE_HOST' } = options;
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is taken, so the ${name} cannot listen there: stop what uses it, or set ${portVariable} to another port.`;
  }
  if (error.code === 'EACCES') {
    return `The ${name} may not listen on port ${port}: set ${portVariable} to a port above 1023.`;
  }
  return `The ${name} cannot listen on ${host}:${port} (${error.code ?? error.message}): set ${hostVariable} to an address of this machine.`;
}
