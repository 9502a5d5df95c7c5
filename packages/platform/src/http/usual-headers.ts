import type { RequestHandler } from 'express';

export const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/**
 * The headers of every response. Responses are not stored by caches, unless their handler says otherwise, because they
 * contain the data of one caller. Web pages of every origin may call the service with an API key; browsers send no
 * cookies, because the allowed origin is `*`.
 */
export const USUAL_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  // A browser that is led to an answer shows it as what it is: no page, and no part of another page.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-Request-Id, X-Operation-Id, Retry-After, ETag, Idempotency-Replayed, Content-Range, Content-Disposition',
} as const;

export function setHeaders(headers: Readonly<Record<string, string>>): RequestHandler {
  return (_request, response, next) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    next();
  };
}
