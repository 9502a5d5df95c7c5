import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';

export class KeyMissing extends Error {
  constructor() {
    super('Send the key of the inference processes as a bearer token.');
    this.name = 'KeyMissing';
  }
}

/**
 * Refuses requests without the key as a bearer token (RFC 6750). Compares digests in constant time, so that the duration
 * reveals neither the key nor its length.
 *
 * @param key null if every request is allowed
 */
export function requireKey(key: string | null): RequestHandler {
  if (key === null) return (_request, _response, next) => next();
  const expected = digestOf(`Bearer ${key}`);
  return (request, _response, next) => {
    const given = digestOf(request.headers.authorization ?? '');
    next(timingSafeEqual(given, expected) ? undefined : new KeyMissing());
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
