import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '@sightline/platform/http/http-errors';

const FORM = /^[!-~]{1,255}$/;

/**
 * Returns the `Idempotency-Key` of a request, or undefined if the request has no such header.
 *
 * @throws HttpError invalid_request unless the key has 1 to 255 visible ASCII characters
 */
export function idempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || (typeof key === 'string' && FORM.test(key))) return key;
  const message = 'expected 1 to 255 visible ASCII characters';
  throw new HttpError('invalid_request', `Idempotency-Key: ${message}.`, {
    errors: [{ path: 'Idempotency-Key', message }],
  });
}
