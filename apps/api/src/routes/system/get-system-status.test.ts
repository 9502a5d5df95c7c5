import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { nameProcess } from '@sightline/composition/database/name-process';
import { SystemStatus } from '@sightline/contracts/system/get-system-status-contract';
import { createJob, imagesJob } from '@sightline/test/support/fixtures/seed-jobs';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type TestConnection, withClient } from '@sightline/test/support/servers/test-server';
import type { z } from 'zod';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { type Browser, People } from '../../testing/browser.ts';
import { facesInRow, photo } from '../../testing/people.ts';

const PATH = '/api/system/status';

let api: ApiServer;
let people: People;
let admin: Browser;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi(async () => {
    const database = await createMigratedDatabase();
    ({ connection } = database);
    return database;
  });
  people = await People.of(api);
  // The first administrator owns the environments from before.
  await people.newAccount({ isAdmin: true });
  admin = (await people.signedIn({ isAdmin: true })).browser;
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = facesInRow;
});
afterAll(() => api[Symbol.asyncDispose]());

/** The status, which the contract's schema accepts. */
async function status(): Promise<z.output<typeof SystemStatus>> {
  const answer = await admin.call(PATH);
  expect(answer.status).toBe(200);
  return SystemStatus.parse(answer.body);
}

/** Connects a process with a name in the activity view of the server. */
async function connect(name: string): Promise<AsyncDisposable> {
  const connected = Promise.withResolvers<null>();
  const ending = Promise.withResolvers<null>();
  const ended = withClient(connection, async (client) => {
    await client.query(`SELECT set_config('application_name', $1, false)`, [name]);
    connected.resolve(null);
    await ending.promise;
  });
  await Promise.race([connected.promise, ended]);
  return {
    [Symbol.asyncDispose]: () => {
      ending.resolve(null);
      return ended;
    },
  };
}

describe('GET /api/system/status', () => {
  test('is for the sessions of administrators, who need no environment', async () => {
    expect((await api.fetch(PATH)).status).toBe(401);
    const other = await people.signedIn();
    expect(await other.browser.call(PATH)).toMatchObject({
      status: 403,
      body: { code: 'admin_required' },
    });
    expect((await people.browser().call(PATH)).status).toBe(401);
    expect((await admin.call(PATH)).status).toBe(200);
  });

  test('has the health, the requests, and what runs the models', async () => {
    const { body: health } = await api.client.getHealth();
    expect(await status()).toMatchObject({
      version: '1.2.3',
      health: { status: health!.status, checks: health!.checks, provider: 'cpu' },
      requests: { in_flight: expect.any(Number), waiting: 0, limit: 1000 },
      inference: [{ ready: true, provider: 'cpu' }],
      indexes: [{ name: 'test', state: 'filled', backlog: 0, oldest_seconds: 0 }],
      events: health!.events,
      deliveries: { first: 0, repeated: 0, oldest_seconds: 0 },
      outbox: { events: expect.any(Number), oldest_transaction_seconds: expect.any(Number) },
    });
  });

  test('has the processes with their versions, and not those of commands', async () => {
    await using clients = new AsyncDisposableStack();
    const one = nameProcess('sightline api', '0.3.0');
    const names = [
      one,
      `${one} jobs`,
      'sightline api #ffffffff v0.3.1-rc.1',
      'sightline worker',
      'sightline command index',
      'sightline migrate',
      'sightline start',
      'sightlines',
    ];
    for (const name of names) clients.use(await connect(name));
    const { processes } = await statusWith((found) => found.processes!.length === 4);
    expect(processes).toMatchObject([
      { role: 'api', id: expect.any(String), version: '0.3.0', connections: 2 },
      { role: 'api', id: 'ffffffff', version: '0.3.1-rc.1', connections: 1 },
      { role: 'service', id: null, version: null },
      { role: 'worker', id: null, version: null, connections: 1 },
    ]);
    const own = processes!.find(({ role }) => role === 'service')!;
    expect(own.connected_at).not.toBeNull();
    expect(own.idle_seconds).toBeLessThan(60);
  });

  test('has the unfinished jobs and the storage of all environments', async () => {
    await api.client.detectFaces({ body: { file: photo('0 90') } });
    await api.reset();
    api.analyzer.facesOf = facesInRow;
    await api.client.detectFaces({ body: { file: photo('0 90') } });
    const { body: stats } = await api.client.getStats();
    const { id: environmentId } = await api.stores.keys.environment(api.environment);
    await createJob(api.stores, { scope: { environmentId } }, imagesJob(3));
    const { jobs, storage } = await statusWith((found) => found.jobs!.length > 0);
    expect(jobs).toMatchObject([{ jobs: 1, total: 3, done: 0, failed: 0 }]);
    expect(storage.stored_bytes).toBeGreaterThanOrEqual(2 * stats!.storage_bytes);
    expect(storage).toMatchObject({ set_aside_bytes: 0, database_free_bytes: 10 ** 9 });
    expect(storage.database_bytes).toBeGreaterThan(1_000_000);
  });

  test('answers without what is down, and says so', async () => {
    api.analyzer.status = () => Promise.reject(new Error('down'));
    const { health, inference, processes } = await statusWith((found) => found.inference === null);
    expect([health.provider, inference, health.status]).toEqual([null, null, 'degraded']);
    expect(processes).not.toBeNull();
  });
});

/** The first status that the condition accepts, because statuses are up to a second old. */
async function statusWith(
  accepts: (found: z.output<typeof SystemStatus>) => boolean,
): Promise<z.output<typeof SystemStatus>> {
  for (let found = await status(); ; found = await status()) {
    if (accepts(found)) return found;
  }
}
