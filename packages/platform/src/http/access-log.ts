import type { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from '../logging/logger.ts';
import { logFields } from './log-fields.ts';
import { refusalCode } from './refusal-code.ts';
import { requestId } from './request-id.ts';
import { waitsSince } from './waiting-time.ts';

/** The status in logs and metrics for a request whose client disconnected before the end of the response. */
const CLIENT_CLOSED_REQUEST = 499;

export interface RequestObserver {
  started(): void;
  finished(request: FinishedRequest): void;
}

export interface FinishedRequest {
  readonly method: string;
  /** The pattern of the route, such as `/api/identities/:id`. */
  readonly route: string;
  readonly status: number;
  /** The time until the answer, or until the request began to wait for a change. */
  readonly seconds: number;
  /** The problem code of a refused request; null for other requests. */
  readonly refusal: string | null;
}

/** Logs and counts each request after its response was sent or its connection was closed. */
export function observeRequests(logger: Logger, observer: RequestObserver): RequestHandler {
  const traffic = new TrafficMeter();
  return (request, response, next) => {
    const startedAt = performance.now();
    const { socket } = request;
    observer.started();
    response.once('close', () => {
      const endedAt = performance.now();
      const duration = endedAt - startedAt;
      const finished = {
        method: request.method,
        route: routePattern(request),
        status: finalStatus(response),
        seconds: ((waitsSince(response) ?? endedAt) - startedAt) / 1000,
        refusal: refusalCode(response),
      };
      observer.finished(finished);
      logger.info(
        {
          request_id: requestId(response),
          method: finished.method,
          route: finished.route,
          status: finished.status,
          ...(finished.refusal !== null && { code: finished.refusal }),
          ...logFields(response),
          duration_ms: Math.round(duration * 10) / 10,
          ...traffic.since(socket),
        },
        'request',
      );
    });
    next();
  };
}

function routePattern(request: Request): string {
  const { route } = request as { route?: { path: string | RegExp } };
  return route === undefined ? 'unmatched' : request.baseUrl + String(route.path);
}

function finalStatus(response: Response): number {
  if (response.writableFinished) return response.statusCode;
  // The response is incomplete. `errored` is set if this process broke off the response, and null if the client
  // disconnected.
  return response.errored === null ? CLIENT_CLOSED_REQUEST : 500;
}

/** Counts the bytes on the wire, including headers, since the previous request of the same connection. */
class TrafficMeter {
  readonly #seen = new WeakMap<Socket, { read: number; written: number }>();

  since(socket: Socket): { bytes_in: number; bytes_out: number } {
    const now = { read: socket.bytesRead, written: socket.bytesWritten };
    const before = this.#seen.get(socket) ?? { read: 0, written: 0 };
    this.#seen.set(socket, now);
    return { bytes_in: now.read - before.read, bytes_out: now.written - before.written };
  }
}
