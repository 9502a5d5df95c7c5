import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { errorCodes } from '../errors/error-codes.ts';
import type { Logger } from '../logging/logger.ts';
import { HttpError } from './http-errors.ts';
import { httpProblem, INTERNAL_PROBLEM, sendProblem, type ToProblem } from './problem.ts';
import { requestId } from './request-id.ts';

export const refuseUnknownPath: RequestHandler = () => {
  throw new HttpError('not_found', 'There is nothing at this path.');
};

/** Turns every error into a response. */
export function createErrorHandler(logger: Logger, toProblem: ToProblem): ErrorRequestHandler {
  // eslint-disable-next-line max-params, @typescript-eslint/no-unused-vars -- express tells an error handler by its four parameters
  return (error: unknown, request, response, _next) => {
    const request_id = requestId(response);
    const about = { err: error, request_id };
    if (response.closed || request.socket.destroyed) {
      logger.debug(about, 'request ended after its client had disconnected');
      return;
    }
    const problem = toProblem(error) ?? httpProblem(error) ?? INTERNAL_PROBLEM;
    if (problem === INTERNAL_PROBLEM) logger.error(about, 'request failed');
    // Without a stack: an outage causes many of these, and its start is logged.
    else if (problem.status >= 500) {
      logger.warn({ request_id, cause: errorCodes(error) }, 'request could not be served');
    }
    if (response.headersSent) breakOff(response, error);
    else sendProblem(response, problem);
  };
}

/** The status has been sent: only a broken connection can still signal that the body is incomplete. */
function breakOff(response: Response, error: unknown): void {
  if (response.writableEnded) return;
  response.destroy(error instanceof Error ? error : new Error(String(error)));
}
