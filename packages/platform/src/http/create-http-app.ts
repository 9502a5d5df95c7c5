import { parse } from 'node:querystring';
import type { IncomingMessage, RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Logger } from '../logging/logger.ts';
import { observeRequests, type RequestObserver } from './access-log.ts';
import { answerCors } from './cors.ts';
import { createErrorHandler, refuseUnknownPath } from './handle-error.ts';
import { HttpError } from './http-errors.ts';
import type { ToProblem } from './problem.ts';
import { assignRequestId } from './request-id.ts';
import { requireHost } from './require-host.ts';
import { setHeaders, USUAL_HEADERS } from './usual-headers.ts';

export interface HttpAppOptions {
  readonly logger: Logger;
  readonly observer: RequestObserver;
  /**
   * Converts the application's own errors to problems. The errors of this package and of Express need no conversion.
   */
  readonly toProblem: ToProblem;
  /** Headers of every answer, in addition to the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The path to which other services send browsers, with a text for people in any encoding. The query of this path may
   * have bytes that are not UTF-8.
   */
  readonly anyTextAt?: string;
  /** The routes, as an Express router or a single handler, mounted at the root. */
  readonly routes: RequestHandler;
}

/** Creates an Express app with the middleware that all HTTP servers of the product share. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const { logger, observer, toProblem, headers = {}, anyTextAt, routes } = options;
  const unreadable = new WeakSet<IncomingMessage>();
  const app = express();
  app.disable('x-powered-by');
  // Express would hash every response for a weak ETag. Handlers of cacheable responses set their own ETag.
  app.disable('etag');
  app.set('query parser', parseQuery);
  app.use(assignRequestId);
  app.use(observeRequests(logger, observer));
  app.use(setHeaders({ ...USUAL_HEADERS, ...headers }));
  app.use(answerCors);
  app.use(requireHost);
  app.use((request, _response, next) => {
    if (unreadable.has(request)) throw new HttpError('invalid_request', 'The URL is not valid.');
    next();
  });
  app.use(requireTextInUrl(anyTextAt));
  app.use(routes);
  app.use(refuseUnknownPath);
  app.use(createErrorHandler(logger, toProblem));
  return (request, response) => {
    // Express parses other targets than paths with a deprecated function, and answers those that it cannot parse
    // without any middleware.
    const path = pathOf(request.url ?? '/');
    if (path === null) unreadable.add(request);
    request.url = path ?? '/';
    app(request, response);
  };
}

/** The path and query of a request target, which may be a whole URL (RFC 9112, 3.2.2); null if it is not valid. */
function pathOf(target: string): string | null {
  if (target.startsWith('/') || target === '*') return target;
  const url = URL.parse(target);
  // Only the URL of an HTTP scheme has a path in any case.
  return url === null ? null : (url.pathname || '/') + url.search;
}

/** Parses all query parameters. By default, Node silently drops all parameters after the first 1,000. */
const parseQuery = (query: string | undefined) => parse(query ?? '', '&', '=', { maxKeys: 0 });

/**
 * Refuses percent-encoded bytes that are not UTF-8. The query parser would replace such bytes, so the handler would
 * search for a different text.
 */
const requireTextInUrl =
  (except: string | undefined): RequestHandler =>
  (request, _response, next) => {
    const checked = request.path === except ? '' : request.url;
    for (const [escapes] of checked.matchAll(/(?:%[\da-f]{2})+/gi)) {
      try {
        decodeURIComponent(escapes);
      } catch (cause) {
        throw new HttpError('invalid_request', 'The URL is not valid UTF-8.', { cause });
      }
    }
    next();
  };
