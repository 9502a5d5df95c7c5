import { HttpError } from './http-errors.ts';

/** The error for a full disk of batches; the cause is for the log. */
export function spoolFull(cause?: unknown): HttpError {
  return new HttpError('store_unavailable', 'The disk for uploads is full; try again later.', {
    headers: { 'Retry-After': '5' },
    cause,
  });
}
