import type { HttpMethod } from '@sightline/contracts/define-contract';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import { HttpError } from '@sightline/platform/http/http-errors';
import { type RequestHandler, Router } from 'express';
import type { ApiContext } from '../api-context.ts';
import { createHandler, type Mount } from './create-handler.ts';
import type { Route } from './define-route.ts';

/** Bytes of the bodies of all requests at a time, but for batches, which lie on disk. */
const MAX_BODY_MEMORY = 1024 ** 3;

/** Mounts the routes; other methods of their paths get 405 with `Allow`. */
export function createRouter(routes: readonly Route[], context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  const mount: Mount = { context, memory: new BodyMemory(MAX_BODY_MEMORY) };
  for (const [path, onPath] of Map.groupBy(routes, (route) => route.path)) {
    const mounted = router.route(expressPath(path));
    for (const route of onPath) {
      mounted[verb(route.method)](createHandler(route, mount));
    }
    mounted.all(refuseMethod(onPath.map((route) => route.method)));
  }
  return router;
}

function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function verb(method: HttpMethod) {
  return method.toLowerCase() as Lowercase<HttpMethod>;
}

function refuseMethod(methods: readonly HttpMethod[]): RequestHandler {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const headers = { Allow: [...allow, 'OPTIONS'].join(', ') };
  return (request) => {
    const detail = `${request.method} is not a method of this path.`;
    throw new HttpError('method_not_allowed', detail, { headers });
  };
}
