import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { OverloadedStore, SilentStore } from './s3-error.ts';
import type { StoreClock } from './store-clock.ts';

export interface TransportLimits {
  readonly connectTimeoutMs: number;
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** The clock of the store, which is set by the date of each response. */
  readonly clock: StoreClock;
}

export interface Transport {
  request(options: RequestOptions, answer: (response: IncomingMessage) => void): ClientRequest;
}

const OVERLOADED = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/**
 * Creates a transport whose requests end on abort and on timeout. The SDK supports neither of them (minio-js issues 819,
 * 523 and 722), but accepts a transport.
 */
export function timedTransport(protocol: string, limits: TransportLimits): Transport {
  const { request } = protocol === 'https:' ? https : http;
  return {
    request(options, answer) {
      const made = request({ ...options, signal: limits.signal }, (response) => {
        const { statusCode = 0, headers } = response;
        limits.clock.observe(headers.date);
        // For these statuses, the SDK would write to the console and leave the body unread, which would block the
        // connection forever (src/internal/request.ts of 8.0.7).
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
