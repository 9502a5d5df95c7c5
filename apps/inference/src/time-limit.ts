import type { IncomingMessage, ServerResponse } from 'node:http';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import { DEADLINE_HEADER } from '@sightline/engine/wire/preamble';
import { HttpError } from '@sightline/platform/http/http-errors';
import { requestSignal } from '@sightline/platform/http/request-signal';

/** The longest time limit of a request. */
const LONGEST_MS = 600_000;

/**
 * Aborts when the client disconnects, and when the time limit of the request has passed.
 *
 * @throws HttpError invalid_request
 */
export function limitTime(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const closed = requestSignal(response);
  const limit = request.headers[DEADLINE_HEADER];
  if (limit === undefined) return closed;
  if (typeof limit !== 'string' || !/^\d{1,15}$/.test(limit)) {
    throw new HttpError('invalid_request', `${DEADLINE_HEADER} has to be a whole number.`);
  }
  const left = Number(limit);
  const controller = new AbortController();
  const expire = () => controller.abort(tooLate());
  if (left === 0) expire();
  const timer = setTimeout(expire, Math.min(left, LONGEST_MS));
  response.once('close', () => clearTimeout(timer));
  return AbortSignal.any([closed, controller.signal]);
}

function tooLate(): InferenceUnavailable {
  return new InferenceUnavailable('The time that the request had is over.');
}
