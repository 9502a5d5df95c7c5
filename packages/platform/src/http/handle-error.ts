import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { errorCodes } from '../logging/error-codes.ts';
import type { Logger } from '../logging/logger.ts';
import { HttpError } from './http-errors.ts';
import {
  httpProblem,
  INTERNAL_PROBLEM,
  type Problem,
  sendProblem,
  type ToProblem,
} from './problem.ts';
import { requestId } from './request-id.ts';

/** How long a client may go on sending a body that was refused before it has to be gone. */
const LINGER_MS = 5_000;

export const refuseUnknownPath: RequestHandler = () => {
  throw new HttpError('not_found', 'There is nothing at this path.');
};

/** The one place where an error becomes an answer. */
export function createErrorHandler(logger: Logger, toProblem: ToProblem): ErrorRequestHandler {
  // eslint-disable-next-line max-params, @typescript-eslint/no-unused-vars -- express tells an error handler by its four parameters
  return (error: unknown, request, response, _next) => {
    const request_id = requestId(response);
    const about = { err: error, request_id };
    if (response.closed || request.socket.destroyed) {
      logger.debug(about, 'request ended after its client had gone');
      return;
    }
    const problem = toProblem(error) ?? httpProblem(error) ?? INTERNAL_PROBLEM;
    if (problem === INTERNAL_PROBLEM) logger.error(about, 'request failed');
    // No stack: while a service is away there are many of these, and its own line says since when.
    else if (problem.status >= 500) {
      logger.warn({ request_id, cause: errorCodes(error) }, 'request could not be served');
    }
    if (response.headersSent) breakOff(response, error);
    else refuse(request, response, problem);
  };
}

function refuse(request: Request, response: Response, problem: Problem): void {
  sendProblem(response, problem);
  if (!request.complete) drainForAWhile(request);
}

/** The status is out: a broken connection is the only way left to say that this is not whole. */
function breakOff(response: Response, error: unknown): void {
  if (response.writableEnded) return;
  response.destroy(error instanceof Error ? error : new Error(String(error)));
}

/**
 * A client that still sends its body when it is refused would lose the answer if the connection
 * were closed at once (the rest of the body would reset it).
 */
export function drainForAWhile(request: Request): void {
  const giveUp = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  request.once('end', () => clearTimeout(giveUp));
  request.resume();
}
