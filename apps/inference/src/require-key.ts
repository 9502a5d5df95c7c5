import type { RequestHandler } from 'express';
import type { AcceptedKeys } from './accepted-keys.ts';

export class KeyMissing extends Error {
  constructor() {
    super('Send the key of the inference processes as a bearer token.');
    this.name = 'KeyMissing';
  }
}

/**
 * Refuses requests without one of the keys.
 *
 * @param keys null if every request is allowed
 */
export function requireKey(keys: Pick<AcceptedKeys, 'accept'> | null): RequestHandler {
  if (keys === null) return (_request, _response, next) => next();
  return (request, _response, next) => {
    next(keys.accept(request.headers.authorization ?? '') ? undefined : new KeyMissing());
  };
}
