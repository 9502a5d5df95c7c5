import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { errorCodes } from '../errors/error-codes.ts';
import type { Logger } from '../logging/logger.ts';
import { HttpError } from './http-errors.ts';
import { httpProblem, INTERNAL_PROBLEM, sendProblem, type ToProblem } from './problem.ts';
import { requestId } from './request-id.ts';

export const refuseUnknownPath: RequestHandler = () => {
  throw new HttpError('not_found', 'The path does not exist.');
};

/** Creates the error handler of Express, which logs errors and responds with problem documents. */
export function createErrorHandler(logger: Logger, toProblem: ToProblem): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- express tells an error handler by its four parameters
  return (error: unknown, request, response, _next) => {
    const request_id = requestId(response);
    const about = { err: error, request_id };
    if (response.closed || request.socket.destroyed) {
      logger.debug(about, 'request ended after its client had disconnected');
      return;
    }
    const problem = toProblem(error) ?? httpProblem(error) ?? INTERNAL_PROBLEM;
    if (problem === INTERNAL_PROBLEM) logger.error(about, 'request failed');
    // The warning has no stack, because an outage causes many such errors and the start of the outage is logged
    // elsewhere.
    else if (problem.status >= 500) {
      logger.warn({ request_id, cause: errorCodes(error) }, 'request could not be served');
    }
    if (response.headersSent) breakOff(response, error);
    else sendProblem(response, problem);
  };
}

/**
 * Breaks the connection. After the headers were sent, only a broken connection can signal that the body is
 * incomplete.
 */
function breakOff(response: Response, error: unknown): void {
  if (response.writableEnded) return;
  response.destroy(error instanceof Error ? error : new Error(String(error)));
}
