import type { RequestHandler } from 'express';

export const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/**
 * The headers of every response. Responses are not stored by caches, unless their handler says otherwise, because they
 * contain the data of one caller. Web pages of every origin may call the service with an API key; browsers send no
 * cookies, because the allowed origin is `*`.
 */
export const USUAL_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-Request-Id, Retry-After, ETag, Idempotency-Replayed, Content-Range, Content-Disposition',
} as const;

export const setUsualHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of Object.entries(USUAL_HEADERS)) response.setHeader(name, value);
  next();
};
