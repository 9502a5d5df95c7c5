import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import { buildOpenApi } from '@sightline/contracts/openapi';
import { createHttpApp, type HttpAppOptions } from '@sightline/platform/http/create-http-app';
import { type Express, Router } from 'express';
import type { ApiContext } from './api-context.ts';
import { serveDocsAssets } from './docs/serve-docs-assets.ts';
import { createRouter } from './http/create-router.ts';
import { toProblem } from './http/to-problem.ts';
import { ROUTES } from './routes.ts';

export type ApiAppOptions = Pick<HttpAppOptions, 'observer'> & {
  readonly context: Omit<ApiContext, 'openApi'>;
};

/** The API as an express application, without a listener. */
export function createApiApp({ context, observer }: ApiAppOptions): Express {
  const openApi = buildOpenApi(API_CONTRACTS, context.version);
  const routes = Router()
    .use(createRouter(Object.values(ROUTES), { ...context, openApi }))
    .use(serveDocsAssets());
  const { logger } = context;
  return createHttpApp({ logger, observer, toProblem, routes });
}
