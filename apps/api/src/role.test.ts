import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { databaseControl } from '@sightline/composition/models/model-control';
import { createClient } from '@sightline/contracts/client';
import { createKey } from '@sightline/core/api-keys/create-key';
import type { SettingDefaults } from '@sightline/core/settings/setting-defaults';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { serveImage } from '@sightline/test/support/servers/image-server';
import { AesSecretBox } from '@sightline/composition/secrets/aes-secret-box';
import { createApiRole } from './role.ts';
import { type ApiContextFixture, openApiContext } from './testing/api-context-fixture.ts';

let fixture: ApiContextFixture;

beforeEach(async () => {
  fixture = await openApiContext(createMigratedDatabase);
});
afterEach(() => fixture[Symbol.asyncDispose]());

function createRole(port = 0, settingDefaults: SettingDefaults = {}) {
  const { stores, media, vectors, analyzer, context } = fixture;
  return createApiRole({
    config: {
      host: '127.0.0.1',
      port,
      maxConnections: 100,
      maxWaiting: 100,
      trustedProxies: null,
      publicUrl: null,
      drainSeconds: 0,
      bodyMemory: 1024 ** 3,
      kafkaBrokers: null,
      consoleDir: null,
      kafkaTopic: 'sightline.events',
    },
    spool: context.bodies.spool,
    logger: context.logger,
    registry: createMetricsRegistry(),
    version: '1.2.3',
    operations: { endpoint: null, serve: () => undefined },
    stores: { ...stores, media, vectors },
    inference: {
      analyzer,
      batchConcurrency: 2,
      jobConcurrency: 2,
      gpuAvailable: () => Promise.resolve(false),
      hosts: { statuses: () => Promise.resolve([]), hold: () => Promise.resolve() },
      control: databaseControl({ hold: () => Promise.resolve() }),
    },
    endpoints: [],
    hasPackStore: true,
    databaseFolder: null,
    settingDefaults,
    identityProvider: null,
    secrets: new AesSecretBox(null),
  });
}

async function clientOf({ address }: ReturnType<typeof createApiRole>, isAdmin = false) {
  const { key: apiKey } = await createKey(fixture.stores, {
    environment: 'default',
    label: 'test',
    right: 'full',
    isAdmin,
    expiresAt: null,
  });
  return createClient({ baseUrl: `http://127.0.0.1:${address!.port}`, fetch, apiKey });
}

const running = new AbortController().signal;

describe('the API role', () => {
  test('serves between start and stop', async () => {
    const role = createRole();
    await expect(role.ready()).resolves.toBe(false);
    await role.start(running);
    await expect(role.ready()).resolves.toBe(true);
    const client = await clientOf(role);
    expect((await client.getHealth()).status).toBe(200);
    const { problem } = await client.testImage({ body: { image_url: 'http://169.254.1.1/' } });
    expect(problem).toMatchObject({ code: 'image_fetch_failed' });

    fixture.analyzer.ready = false;
    await expect(role.ready()).resolves.toBe(true);
    await role[Symbol.asyncDispose]();
    await expect(client.getHealth()).rejects.toThrow();
  });

  test('has the defaults of the installation, which an administrator can override', async () => {
    await using image = await serveImage(new TextEncoder().encode('any photo'));
    const key = 'system.url_fetch_private';
    const role = createRole(0, { [key]: false });
    await role.start(running);
    const client = await clientOf(role, true);
    const listed = async () => {
      const { body } = await client.listSettings();
      const { value, default: fallback } = body!.items.find((item) => item.key === key)!;
      return { value, default: fallback };
    };
    const fetched = async () => {
      const { problem } = await client.testImage({ body: { image_url: image.url } });
      return problem?.code ?? 'fetched';
    };
    expect(await listed()).toEqual({ value: false, default: false });
    expect(await fetched()).toBe('image_fetch_failed');
    await client.putSetting({ path: { key }, body: { value: true } });
    expect(await listed()).toEqual({ value: true, default: false });
    expect(await fetched()).toBe('fetched');
    const { body } = await client.putSetting({ path: { key }, body: { value: null } });
    expect(body).toEqual({ key, value: false });
    await role[Symbol.asyncDispose]();
  });

  test('is not ready without its database', async () => {
    const role = createRole();
    await role.start(running);
    fixture.context.database.ready = () => Promise.resolve(false);
    await expect(role.ready()).resolves.toBe(false);
    await role[Symbol.asyncDispose]();
  });

  test('is not ready while it finishes accepted requests', async () => {
    const role = createRole();
    await role.start(running);
    const taken = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    fixture.analyzer.before = () => {
      taken.resolve(undefined);
      return goOn.promise;
    };
    const client = await clientOf(role);
    const answer = client.testImage({ body: { image_base64: 'AAAA' } });
    await taken.promise;
    const stopped = role[Symbol.asyncDispose]();
    await expect(role.ready()).resolves.toBe(false);
    goOn.resolve(undefined);
    expect((await answer).status).toBe(200);
    await stopped;
  });

  test('answers requests that wait for changes when it stops, and is idle until then', async () => {
    const role = createRole();
    await role.start(running);
    const client = await clientOf(role);
    const answer = client.listChanges({ query: { wait: 30 } });
    for (let isWaiting = false; !isWaiting;) {
      await sleep(20);
      isWaiting = !role.isBusy;
    }
    const startedAt = performance.now();
    await role[Symbol.asyncDispose]();
    expect((await answer).body).toEqual({ changes: [], next_cursor: 0, has_more: false });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('names the remedy for a port that is taken, and can be disposed of then', async () => {
    const first = createRole();
    await first.start(running);
    const second = createRole(first.address!.port);
    const failure = await second.start(running).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(failure).toMatchObject({ message: expect.stringContaining('SIGHTLINE_PORT') });
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
  });
});
