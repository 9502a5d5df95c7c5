import type { IncomingMessage, ServerResponse } from 'node:http';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import { DEADLINE_HEADER } from '@sightline/engine/wire/preamble';
import { HttpError } from '@sightline/platform/http/http-errors';
import { requestSignal } from '@sightline/platform/http/request-signal';

/** Nobody waits for longer. */
const LONGEST_MS = 600_000;

/**
 * Aborts when the client goes away, and when the time is over that the request says it has.
 *
 * @throws HttpError invalid_request
 */
export function limitTime(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const closed = requestSignal(response);
  const told = request.headers[DEADLINE_HEADER];
  if (told === undefined) return closed;
  if (typeof told !== 'string' || !/^\d{1,15}$/.test(told)) {
    throw new HttpError('invalid_request', `${DEADLINE_HEADER} has to be a whole number.`);
  }
  const left = Number(told);
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
