import { HttpError } from '@sightline/platform/http/http-errors';

/** The error of a body that must have exactly one of two members. */
export function oneOfExpected(names: readonly [string, string]): HttpError {
  const message = `exactly one of ${names.join(' and ')} is expected`;
  return new HttpError('invalid_request', `The body is invalid: ${message}.`, {
    errors: [{ path: names[0], message }],
  });
}
