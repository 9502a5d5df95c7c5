import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { OverloadedStore, SilentStore } from './s3-error.ts';

export interface TransportLimits {
  readonly connectTimeoutMs: number;
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

/** What the SDK takes for node's own `http` or `https`. */
export interface Transport {
  request(options: RequestOptions, answer: (response: IncomingMessage) => void): ClientRequest;
}

/** Statuses that a second attempt may not meet. */
const OVERLOADED = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/**
 * Requests that end on abort and in silence. The SDK knows neither signals nor time-outs (its
 * maintainers point to streams that one destroys and to options of the agent: minio-js issues 819,
 * 523 and 722), but it takes a transport.
 */
export function timedTransport(protocol: string, limits: TransportLimits): Transport {
  const { request } = protocol === 'https:' ? https : http;
  return {
    request(options, answer) {
      const made = request({ ...options, signal: limits.signal }, (response) => {
        const { statusCode = 0 } = response;
        // The SDK would not read the body, which keeps the connection for ever, and writes to the
        // console (src/internal/request.ts of 8.0.7).
        if (OVERLOADED.has(statusCode)) made.destroy(new OverloadedStore(statusCode));
        else answer(response);
      });
      made.setTimeout(limits.silenceMs, () => made.destroy(new SilentStore()));
      limitConnect(made, limits.connectTimeoutMs);
      return made;
    },
  };
}

function limitConnect(made: ClientRequest, connectTimeoutMs: number): void {
  made.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => made.destroy(new SilentStore()), connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once('connect', stop).once('close', stop);
  });
}
