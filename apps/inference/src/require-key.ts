import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';

/** The request does not have the key of this process. */
export class KeyMissing extends Error {
  constructor() {
    super('This needs the key of the inference processes as a bearer token.');
    this.name = 'KeyMissing';
  }
}

/**
 * Refuses requests without the key that callers share with this process (RFC 6750). Digests are
 * compared, in constant time, so that the time tells neither the key nor its length.
 *
 * @param key null: every request is let through
 */
export function requireKey(key: string | null): RequestHandler {
  if (key === null) return (_request, _response, next) => next();
  const wanted = digestOf(`Bearer ${key}`);
  return (request, _response, next) => {
    const given = digestOf(request.headers.authorization ?? '');
    next(timingSafeEqual(given, wanted) ? undefined : new KeyMissing());
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
