import { DomainError } from '@sightline/core/domain-error';
import {
  describeError,
  describeVersionMismatch,
  type WireError,
} from '@sightline/engine/wire/error-message';
import { MalformedMessage, WireVersionMismatch } from '@sightline/engine/wire/wire-errors';
import { noteRefusal } from '@sightline/platform/http/refusal-code';
import { requestId } from '@sightline/platform/http/request-id';
import { httpProblem, INTERNAL_PROBLEM } from '@sightline/platform/http/problem';
import { errorCodes } from '@sightline/platform/errors/error-codes';
import type { Logger } from '@sightline/platform/logging/logger';
import type { ErrorRequestHandler } from 'express';
import { KeyMissing } from './require-key.ts';

/** HTTP statuses by error code, for the errors of the port `ImageAnalyzer`. Any other error is internal. */
const STATUSES: Readonly<Record<string, number>> = {
  unsupported_format: 415,
  image_too_large: 413,
  image_corrupt: 422,
  overloaded: 429,
  inference_unavailable: 503,
};
const SERVER_ERROR = 500;
const BAD_REQUEST = 400;
const UNAUTHORIZED = 401;

interface Refusal {
  readonly status: number;
  readonly error: WireError;
}

/** Turns errors into responses of the wire format. */
export function createRefusal(logger: Logger): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- express tells an error handler by its four parameters
  return (error: unknown, request, response, _next) => {
    const request_id = requestId(response);
    const about = { err: error, request_id };
    if (response.closed || request.socket.destroyed || response.headersSent) {
      logger.debug(about, 'a request ended after its client had disconnected');
      response.destroy();
      return;
    }
    const refusal = toRefusal(error);
    if (refusal.status === SERVER_ERROR) logger.error(about, 'a request failed');
    else if (refusal.status > SERVER_ERROR) {
      logger.warn({ request_id, cause: errorCodes(error) }, 'a request could not be served');
    }
    const { retryAfter, code } = refusal.error;
    noteRefusal(response, code);
    if (retryAfter !== null) response.setHeader('Retry-After', retryAfter);
    if (refusal.status === UNAUTHORIZED) response.setHeader('WWW-Authenticate', 'Bearer');
    response.status(refusal.status).json(refusal.error);
  };
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof DomainError && Object.hasOwn(STATUSES, error.code)) {
    return { status: STATUSES[error.code]!, error: describeError(error) };
  }
  if (error instanceof WireVersionMismatch) {
    return { status: BAD_REQUEST, error: describeVersionMismatch(error) };
  }
  if (error instanceof MalformedMessage) {
    return { status: BAD_REQUEST, error: plainError('malformed_message', error) };
  }
  if (error instanceof KeyMissing) {
    return { status: UNAUTHORIZED, error: plainError('unauthenticated', error) };
  }
  const { status, code, detail, headers } = httpProblem(error) ?? INTERNAL_PROBLEM;
  const seconds = headers?.['Retry-After'];
  const retryAfter = seconds === undefined ? null : Number(seconds);
  return { status, error: { code, detail, facts: {}, retryAfter } };
}

function plainError(code: string, { message }: Error): WireError {
  return { code, detail: message, facts: {}, retryAfter: null };
}
