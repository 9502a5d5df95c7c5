import type { HttpMethod } from '@sightline/contracts/define-contract';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import { HttpError } from '@sightline/platform/http/http-errors';
import { requestSignal } from '@sightline/platform/http/request-signal';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ApiContext } from '../api-context.ts';
import type { Answer, Route } from './define-route.ts';
import { type BodyReader, type ReceivedBody, readBody } from './read-body.ts';
import { validateInput } from './validate-input.ts';

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

/** What the routes of one router share. */
interface Mount {
  readonly context: ApiContext;
  readonly memory: BodyMemory;
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

function createHandler(route: Route, { context, memory }: Mount): RequestHandler {
  const { path: pathSchema, query: querySchema } = route.request;
  return async (request, response) => {
    const signal = requestSignal(response);
    const path = pathSchema && validateInput(pathSchema, request.params);
    const query = querySchema && validateInput(querySchema, request.query);
    await using held = new AsyncDisposableStack();
    const share = held.use(memory.open());
    const maxFileBytes = context.imageLimits.maxBytes;
    const body = held.use(await receiveBody(request, route, { maxFileBytes, memory: share }));
    send(response, route, await route.handler(context, { path, query, body, signal }));
  };
}

function receiveBody(
  request: Request,
  route: Route,
  bounds: Pick<BodyReader, 'maxFileBytes' | 'memory'>,
): Promise<ReceivedBody> | undefined {
  const { body } = route.request;
  return body && readBody(request, { contract: route, body, ...bounds });
}

function send(response: Response, route: Route, { status, body, headers }: Answer): void {
  const { mediaType } = route.responses[status]!;
  response
    .status(status)
    .set(headers ?? {})
    .type(mediaType);
  response.send(mediaType === 'application/json' ? JSON.stringify(body) : body);
}
