import { HttpError } from './http-errors.ts';

/** The error if the disk for temporary files is full. The cause appears only in the log. */
export function spoolFull(cause?: unknown): HttpError {
  return new HttpError('store_unavailable', 'The disk for uploads is full; try again later.', {
    headers: { 'Retry-After': '5' },
    cause,
  });
}
