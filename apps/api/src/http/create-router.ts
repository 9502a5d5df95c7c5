import type { HttpMethod } from '@sightline/contracts/define-contract';
import { FairShares } from '@sightline/platform/resilience/fair-shares';
import { Router } from 'express';
import type { ApiContext } from '../context/api-context.ts';
import { comparePaths } from './compare-paths.ts';
import { createHandler, type Mount } from './create-handler.ts';
import type { Route } from './define-route.ts';
import { RateLimit } from './rate-limit.ts';
import { RefusalPacing } from './refusal-pacing.ts';
import { refuseMethod } from './refuse-method.ts';

/**
 * Mounts the routes. Their order does not matter, because a request goes to the route with the most specific path
 * that matches. Requests with another method get 405 with `Allow`.
 */
export function createRouter(routes: readonly Route[], context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const mount: Mount = {
    context,
    refusals: new RefusalPacing(),
    rates: new RateLimit(context.systemSettings),
    requests: new FairShares(context.maxRequests),
    owners: new FairShares(context.maxRequests),
  };
  const byPath = Map.groupBy(routes, ({ contract }) => contract.path);
  for (const [path, onPath] of [...byPath].sort(([a], [b]) => comparePaths(a, b))) {
    const mounted = router.route(expressPath(path));
    for (const route of onPath) {
      mounted[verb(route.contract.method)](createHandler(route, mount));
    }
    mounted.all(refuseMethod(onPath.map(({ contract }) => contract.method)));
  }
  return router;
}

function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function verb(method: HttpMethod) {
  return method.toLowerCase() as Lowercase<HttpMethod>;
}
