import type { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from '../logging/logger.ts';
import { logFields } from './log-fields.ts';
import { refusalCode } from './refusal-code.ts';
import { requestId } from './request-id.ts';

/** The status that is counted for a request whose client disconnected before the response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Notified of each request; see `createHttpMetrics`. */
export interface RequestObserver {
  started(): void;
  finished(request: FinishedRequest): void;
}

export interface FinishedRequest {
  readonly method: string;
  /** The pattern of the route, as in `/api/identities/:id`, never the path itself. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** The code of the problem if the request was refused; else null. */
  readonly refusal: string | null;
}

/** Logs and counts each request once its response is sent or its connection is closed. */
export function observeRequests(logger: Logger, observer: RequestObserver): RequestHandler {
  const traffic = new TrafficMeter();
  return (request, response, next) => {
    const startedAt = performance.now();
    const { socket } = request;
    observer.started();
    response.once('close', () => {
      const duration = performance.now() - startedAt;
      const finished = {
        method: request.method,
        route: routePattern(request),
        status: finalStatus(response),
        seconds: duration / 1000,
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
  // The response was cut off: `destroyed` with an error by this process, or closed by the client.
  return response.errored === null ? CLIENT_CLOSED_REQUEST : 500;
}

/** Bytes on the wire, heads included, since the previous request of the same connection. */
class TrafficMeter {
  readonly #seen = new WeakMap<Socket, { read: number; written: number }>();

  since(socket: Socket): { bytes_in: number; bytes_out: number } {
    const now = { read: socket.bytesRead, written: socket.bytesWritten };
    const before = this.#seen.get(socket) ?? { read: 0, written: 0 };
    this.#seen.set(socket, now);
    return { bytes_in: now.read - before.read, bytes_out: now.written - before.written };
  }
}
