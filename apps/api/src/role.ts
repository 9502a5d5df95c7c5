import type { RequestObserver } from '@sightline/platform/http/access-log';
import { HttpListener } from '@sightline/platform/http/http-listener';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import type { ApiContext } from './api-context.ts';
import { createApiApp } from './create-api-app.ts';
import { createFetchImage } from './images/fetch-image.ts';

export interface ApiRoleDeps extends Omit<ApiContext, 'fetchImage' | 'openApi'> {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly observer: RequestObserver;
  /** Fetches the images that requests name by address. */
  readonly outgoing: Pick<GuardedFetch, 'bytes'>;
}

export interface ApiRole extends Role {
  /** Where the API listens; null before the start. */
  readonly address: HttpListener['address'] | null;
  /** The URL under which this machine itself reaches it; null before the start. */
  readonly localUrl: string | null;
}

/** The REST API on a listener of its own. */
export function createApiRole(deps: ApiRoleDeps): ApiRole {
  const { host, port, observer, outgoing, ...context } = deps;
  const { logger } = context;
  const fetchImage = createFetchImage(outgoing);
  let listener: HttpListener | null = null;
  return {
    name: 'api',
    get address() {
      return listener?.address ?? null;
    },
    get localUrl() {
      return listener?.localUrl ?? null;
    },
    async start(signal) {
      signal.throwIfAborted();
      listener = await HttpListener.open({
        name: 'API',
        host,
        port,
        portVariable: 'SIGHTLINE_PORT',
        handler: createApiApp({ observer, context: { ...context, fetchImage } }),
      });
      logger.info({ url: listener.url }, 'the API listens');
    },
    async ready() {
      // What needs a model, an image or the index says so itself; the rest goes on without them.
      return listener !== null && (await deps.database.ready());
    },
    async [Symbol.asyncDispose]() {
      // Not ready as soon as it takes nothing new, while what it has taken still runs.
      const stopping = listener;
      listener = null;
      await stopping?.[Symbol.asyncDispose]();
    },
  };
}
