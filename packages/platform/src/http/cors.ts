import type { RequestHandler } from 'express';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS =
  'X-API-Key, Content-Type, Idempotency-Key, X-Request-Id, If-None-Match, Range';
const RESPONSE_HEADERS =
  'X-Request-Id, Retry-After, ETag, Idempotency-Replayed, Content-Range, Content-Disposition';
const ONE_DAY = '86400';

/**
 * Allows web pages of every origin to call the service with an API key. Browsers send no cookies, because the allowed
 * origin is `*`. Responds to OPTIONS requests on every path.
 */
export const answerCors: RequestHandler = (request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS);
  if (request.method !== 'OPTIONS') {
    next();
    return;
  }
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
  response.setHeader('Access-Control-Max-Age', ONE_DAY);
  response.status(204).end();
};
