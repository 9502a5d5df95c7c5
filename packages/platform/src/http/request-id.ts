import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** Assigns an id to every request: the caller's `X-Request-Id` if it is valid, else a new UUID. */
export const assignRequestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && SANE.test(given) ? given : randomUUID();
  (response.locals as RequestLocals).requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
};

export function requestId(response: Response): string {
  return (response.locals as RequestLocals).requestId;
}

interface RequestLocals {
  requestId: string;
}
