import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** Names every request: by the caller's `X-Request-Id` if that is sane, else by a new one. */
export const assignRequestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && SANE.test(given) ? given : randomUUID();
  (response.locals as RequestLocals).requestId = id;
  response.setHeader('X-Request-Id', id);
  next();
};

/** The id of the request that this response answers. */
export function requestId(response: Response): string {
  return (response.locals as RequestLocals).requestId;
}

interface RequestLocals {
  requestId: string;
}
