import { HttpError } from '@sightline/platform/http/http-errors';

/** Returns the error for a body that has both or none of two members, of which it must have exactly one. */
export function oneOfExpected(names: readonly [string, string]): HttpError {
  const message = `exactly one of ${names.join(' and ')} is expected`;
  return new HttpError('invalid_request', `The body is invalid: ${message}.`, {
    errors: [{ path: names[0], message }],
  });
}
