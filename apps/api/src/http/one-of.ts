import { HttpError } from '@sightline/platform/http/http-errors';

/**
 * Refuses a body that does not name exactly one of two alternatives.
 *
 * @throws HttpError invalid_request
 */
export function oneOfExpected(names: readonly [string, string]): HttpError {
  const message = `exactly one of ${names.join(' and ')} is expected`;
  return new HttpError('invalid_request', `The body is invalid: ${message}.`, {
    errors: [{ path: names[0], message }],
  });
}
