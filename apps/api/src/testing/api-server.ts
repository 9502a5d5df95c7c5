import { type Client, createClient } from '@sightline/contracts/client';
import { DEFAULT_RECOGNITION_SETTINGS } from '@sightline/core/settings/recognition-settings';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { HttpListener } from '@sightline/platform/http/http-listener';
import { createLogger } from '@sightline/platform/logging/logger';
import type { ApiContext } from '../api-context.ts';
import { createApiApp } from '../create-api-app.ts';
import { FakeAnalyzer } from '@sightline/core/testing/fake-analyzer';

export interface ApiServer {
  readonly base: string;
  readonly client: Client;
  readonly analyzer: FakeAnalyzer;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The API on a free port of this machine, over an analyzer without models. */
export async function startApi(changes: Partial<ApiContext> = {}): Promise<ApiServer> {
  const analyzer = new FakeAnalyzer();
  const listener = await HttpListener.open({
    name: 'API',
    host: '127.0.0.1',
    port: 0,
    portVariable: 'PORT',
    handler: createApiApp({
      logger: createLogger({ level: 'silent' }),
      observer: { started: () => undefined, finished: () => undefined },
      context: {
        analyzer,
        settings: DEFAULT_RECOGNITION_SETTINGS,
        fetchImage: (url) => Promise.resolve(new TextEncoder().encode(url)),
        imageLimits: DEFAULT_IMAGE_LIMITS,
        batchConcurrency: 2,
        version: '1.2.3',
        healthChecks: {},
        ...changes,
      },
    }),
  });
  const base = `http://127.0.0.1:${listener.address.port}`;
  return {
    base,
    client: createClient({ baseUrl: base, fetch }),
    analyzer,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}
