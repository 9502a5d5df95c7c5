import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../lifecycle/start-error.ts';
import { answerMalformed } from './answer-malformed.ts';
import { AnswersInFlight } from './answers-in-flight.ts';
import { type BoundAddress, localUrlOf, urlOf } from './bound-address.ts';
import { TrustedProxies } from './client-address.ts';
import { ConnectionLimits, type ConnectionObserver } from './connection-limits.ts';
import { continueWhenRead } from './continue-when-read.ts';
import { DRAIN_LIMITS, type DrainLimits } from './drain-limits.ts';
import { limitExchange } from './limit-exchange.ts';
import { serveInTurn } from './serve-in-turn.ts';

export interface HttpListenerOptions {
  /** The name for messages, such as `API` or `operations listener`. */
  readonly name: string;
  readonly host: string;
  /** The port; 0 means any free port. */
  readonly port: number;
  /** The variable that sets the host, named in errors about the host. Default: SIGHTLINE_HOST. */
  readonly hostVariable?: string;
  /** The variable that sets the port, named in errors about the port. */
  readonly portVariable: string;
  readonly handler: RequestListener;
  /** The maximum number of connections, of which each address has a fair share. Default: 2,000. */
  readonly maxConnections?: number;
  /** The proxies whose connections are not limited by their address. Default: none. */
  readonly trustedProxies?: TrustedProxies;
  readonly connections?: ConnectionObserver;
  /**
   * How long a stopping listener still accepts connections and requests, in ms, so that load balancers and clients have
   * time to switch to other processes. Default: 0.
   */
  readonly drainMs?: number;
  /** How long a stop waits for running requests after `drainMs`, in ms. Default: 12 seconds. */
  readonly stopTimeoutMs?: number;
  /** The maximum time in which a client reads no byte of its response, in ms. Default: 30 seconds. */
  readonly answerSilenceMs?: number;
  /** The maximum time for a body that no handler reads, in ms. Default: 30 seconds. */
  readonly unreadBodyMs?: number;
  /** Limits for bytes that a client still sends after its response. Default: `DRAIN_LIMITS`. */
  readonly drain?: DrainLimits;
}

const SECOND = 1_000;
/**
 * The timeout of a request, long enough for a batch of 2 GiB at 5 Mbit/s. Routes with small bodies set shorter
 * timeouts.
 */
const REQUEST_TIMEOUT_MS = 3_600 * SECOND;
const HEADERS_TIMEOUT_MS = 30 * SECOND;
/** The interval at which Node checks the timeouts of requests. */
const CHECK_EVERY_MS = 5 * SECOND;
/**
 * The keep-alive timeout, longer than the idle timeout of common load balancers (60 s), so that the load balancer
 * closes a connection first.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65 * SECOND;
const ANSWER_SILENCE_MS = 30 * SECOND;
const UNREAD_BODY_MS = 30 * SECOND;
/**
 * The stop timeout. Together with the drain (5 s) and the closing of stores, it stays below the grace period of
 * Kubernetes (30 s).
 */
const STOP_TIMEOUT_MS = 12 * SECOND;
/**
 * The maximum number of connections. Each connection may need the descriptor of a file or of a store in addition to
 * its own, and the total has to stay below the usual limit of 4,096 descriptors.
 */
const MAX_CONNECTIONS = 2_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** A listening HTTP server. Disposal waits for running requests before it closes the server. */
export class HttpListener implements AsyncDisposable {
  readonly #server: Server;
  readonly #drainMs: number;
  readonly #stopTimeoutMs: number;
  readonly #sockets = new Set<Socket>();
  readonly #answers: AnswersInFlight;
  /** The bound address. If the configured port is 0, it has the port that the system chose. */
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
    // Idle connections are not closed during sending, because Node counts a connection as idle when its response is
    // written but not yet sent.
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

  /** @throws StartError if the port is in use or the address does not belong to this machine */
  static async open(options: HttpListenerOptions): Promise<HttpListener> {
    const server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // The app refuses requests without a Host header, because Node's own response is not a problem document.
      requireHostHeader: false,
    });
    const connections = new ConnectionLimits({
      max: options.maxConnections ?? MAX_CONNECTIONS,
      trusted: options.trustedProxies ?? new TrustedProxies([]),
      observer: options.connections,
    });
    server.on('connection', (socket) => connections.accept(socket));
    // Unknown values of the header Expect are ignored. By default, Node would respond with 417 and no body.
    server.on('checkExpectation', (...exchange) => void server.emit('request', ...exchange));
    server.on('checkContinue', (request, response) => {
      continueWhenRead(request, response);
      server.emit('request', request, response);
    });
    const limits = {
      answerSilenceMs: options.answerSilenceMs ?? ANSWER_SILENCE_MS,
      unreadBodyMs: options.unreadBodyMs ?? UNREAD_BODY_MS,
      drain: options.drain ?? DRAIN_LIMITS,
    };
    const answers = new AnswersInFlight();
    const turns = serveInTurn(server, {
      drain: limits.drain,
      idle: (socket) => connections.wait(socket),
      busy: (socket) => connections.work(socket),
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

  get url(): string {
    return urlOf(this.address);
  }

  /** The URL for clients on this machine. The host is `localhost` if the server listens on all addresses. */
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
   * Closes connections that have sent no bytes, because Node counts such a connection as a running request. Browsers
   * and connection pools often connect in advance.
   */
  #closeUnused(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /**
   * Closes idle connections during a stop. The server's `close` does not close connections that become idle later.
   */
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
    return `The ${name} cannot listen on port ${port} of ${host}, because another process uses the port: stop that process, or set ${portVariable} to another port.`;
  }
  if (error.code === 'EACCES') {
    return `The ${name} may not listen on port ${port}: set ${portVariable} to a port above 1023.`;
  }
  return `The ${name} cannot listen on ${host}:${port} (${error.code ?? error.message}): set ${hostVariable} to an address of this machine.`;
}
