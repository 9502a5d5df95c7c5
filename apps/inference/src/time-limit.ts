import type { IncomingMessage, ServerResponse } from 'node:http';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import { DEADLINE_HEADER } from '@sightline/engine/wire/preamble';
import { HttpError } from '@sightline/platform/http/http-errors';
import { requestSignal } from '@sightline/platform/http/request-signal';

/** The longest time limit, in ms. No client waits longer, and setTimeout overflows above 2 ** 31. */
const LONGEST_MS = 600_000;

/**
 * A signal that aborts when the client disconnects, or when the time limit of the request expires.
 *
 * @throws HttpError invalid_request if the time limit is not a whole number of milliseconds
 */
export function limitTime(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const closed = requestSignal(response);
  const value = request.headers[DEADLINE_HEADER];
  if (value === undefined) return closed;
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) {
    throw new HttpError(
      'invalid_request',
      `${DEADLINE_HEADER} must be a whole number of milliseconds.`,
    );
  }
  const left = Number(value);
  const controller = new AbortController();
  const expire = () => controller.abort(timeExpired());
  if (left === 0) expire();
  const timer = setTimeout(expire, Math.min(left, LONGEST_MS));
  response.once('close', () => clearTimeout(timer));
  return AbortSignal.any([closed, controller.signal]);
}

function timeExpired(): InferenceUnavailable {
  return new InferenceUnavailable('The time limit of the request has expired.');
}
