import type { RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import { buildOpenApi, type OpenApiDocument } from '@sightline/contracts/openapi';
import { finishSignOnContract } from '@sightline/contracts/sign-on/finish-sign-on-contract';
import { Renditions } from '@sightline/core/renditions/renditions';
import { GroupCuts } from '@sightline/core/similarity/group-cuts';
import { createHttpApp, type HttpAppOptions } from '@sightline/platform/http/create-http-app';
import { FairShares } from '@sightline/platform/resilience/fair-shares';
import { LoopTurns } from '@sightline/platform/resilience/loop-turns';
import { type RequestHandler, Router } from 'express';
import type { GivenContext } from './context/api-context.ts';
import { serveDocsAssets } from './docs/serve-docs-assets.ts';
import { reportHealth } from './health/report-health.ts';
import { reportSystem } from './health/report-system.ts';
import { shareRecent } from './health/share-recent.ts';
import { createRouter } from './http/create-router.ts';
import { EnvironmentTurns } from './context/environment-turns.ts';
import { RecentAnswers } from './context/recent-answers.ts';
import { SerializedDocument } from './context/serialized-document.ts';
import { toProblem } from './http/to-problem.ts';
import { ROUTES } from './routes.ts';

export type ApiAppOptions = Pick<HttpAppOptions, 'observer'> & {
  readonly context: GivenContext;
  /** Limits the requests of clients behind a proxy; by default no client is limited. */
  readonly clients?: RequestHandler;
  /** The pages of the console; absent if the process serves none. */
  readonly console?: RequestHandler | undefined;
  /** Whether browsers reach the service by https alone. */
  readonly isSecure?: boolean;
  /** The shortest time between two health checks, in ms; 1,000 if absent. */
  readonly healthEveryMs?: number;
};

const ONE_YEAR = 'max-age=31536000';
const HEALTH_EVERY_MS = 1_000;
/** The largest number of test messages to webhooks that are in flight, over all tenants. */
const PINGS = 64;

export function createApiApp(options: ApiAppOptions): RequestListener {
  const {
    context: given,
    observer,
    clients,
    console: pages,
    isSecure = false,
    healthEveryMs = HEALTH_EVERY_MS,
  } = options;
  const health = shareRecent(() => reportHealth(given), healthEveryMs);
  const context = {
    ...given,
    openApi: shareRecent(() => documentApi(given.version), Number.POSITIVE_INFINITY),
    health,
    systemStatus: shareRecent(() => reportSystem({ ...given, health }), healthEveryMs),
    groupCuts: new GroupCuts(),
    renditions: new Renditions(given),
    scans: new EnvironmentTurns(),
    parts: new EnvironmentTurns(),
    parses: new LoopTurns(),
    pings: new FairShares(PINGS),
    recent: new RecentAnswers(),
  };
  const routes = Router();
  if (clients !== undefined) routes.use(clients);
  routes.use(createRouter(Object.values(ROUTES), context)).use(serveDocsAssets());
  if (pages !== undefined) routes.use(pages);
  const { logger } = context;
  return createHttpApp({
    logger,
    observer,
    toProblem,
    anyTextAt: finishSignOnContract.path,
    ...(isSecure && { headers: { 'Strict-Transport-Security': ONE_YEAR } }),
    routes,
  });
}

/** Builds the document over many turns of the event loop, because all of it at once would block other requests. */
async function documentApi(version: string): Promise<SerializedDocument<OpenApiDocument>> {
  return new SerializedDocument(await buildOpenApi(API_CONTRACTS, version, nextTurn));
}
