import { describe, expect, test } from '@jest/globals';
import { createClient } from '@sightline/contracts/client';
import { DEFAULT_RECOGNITION_SETTINGS } from '@sightline/core/settings/recognition-settings';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { createLogger } from '@sightline/platform/logging/logger';
import { TargetRefused } from '@sightline/platform/outgoing/outgoing-errors';
import { createApiRole } from './role.ts';
import { FakeAnalyzer } from '@sightline/core/testing/fake-analyzer';

function createRole(port = 0) {
  const analyzer = new FakeAnalyzer();
  const role = createApiRole({
    host: '127.0.0.1',
    port,
    logger: createLogger({ level: 'silent' }),
    observer: { started: () => undefined, finished: () => undefined },
    outgoing: { bytes: () => Promise.reject(new TargetRefused()) },
    analyzer,
    settings: DEFAULT_RECOGNITION_SETTINGS,
    imageLimits: DEFAULT_IMAGE_LIMITS,
    batchConcurrency: 1,
    version: '1.2.3',
    healthChecks: {},
  });
  return { role, analyzer };
}

const running = new AbortController().signal;

describe('the API role', () => {
  test('serves between start and stop', async () => {
    const { role, analyzer } = createRole();
    await expect(role.ready()).resolves.toBe(false);
    await role.start(running);
    await expect(role.ready()).resolves.toBe(true);
    const baseUrl = `http://127.0.0.1:${role.address!.port}`;
    const client = createClient({ baseUrl, fetch });
    expect((await client.getHealth()).status).toBe(200);
    const { problem } = await client.testImage({ body: { image_url: 'http://169.254.1.1/' } });
    expect(problem).toMatchObject({ code: 'image_fetch_failed' });

    analyzer.ready = false;
    await expect(role.ready()).resolves.toBe(false);
    await role[Symbol.asyncDispose]();
    await expect(fetch(baseUrl)).rejects.toThrow();
  });

  test('is not ready while it finishes what it has taken', async () => {
    const { role, analyzer } = createRole();
    await role.start(running);
    const taken = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    analyzer.before = () => {
      taken.resolve(undefined);
      return goOn.promise;
    };
    const client = createClient({ baseUrl: `http://127.0.0.1:${role.address!.port}`, fetch });
    const answer = client.testImage({ body: { image_base64: 'AAAA' } });
    await taken.promise;
    const stopped = role[Symbol.asyncDispose]();
    await expect(role.ready()).resolves.toBe(false);
    goOn.resolve(undefined);
    expect((await answer).status).toBe(200);
    await stopped;
  });

  test('says what to do about a port that is taken, and can be disposed of then', async () => {
    const { role: first } = createRole();
    await first.start(running);
    const { role: second } = createRole(first.address!.port);
    const failure = await second.start(running).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(failure).toMatchObject({ message: expect.stringContaining('SIGHTLINE_PORT') });
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
  });
});
