import type { RequestHandler } from 'express';
import { METHODS } from './usual-headers.ts';

const REQUEST_HEADERS =
  'X-API-Key, Content-Type, Idempotency-Key, X-Request-Id, If-None-Match, Range';
const ONE_DAY = '86400';

/** Responds to OPTIONS requests on every path, by which browsers ask what a web page may send. */
export const answerCors: RequestHandler = (request, response, next) => {
  if (request.method !== 'OPTIONS') {
    next();
    return;
  }
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
  response.setHeader('Access-Control-Max-Age', ONE_DAY);
  response.status(204).end();
};
