import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, createClient } from '@sightline/contracts/client';
import { deleteEnvironments } from '@sightline/core/maintenance/delete-environments';
import { indexChanges } from '@sightline/core/vectors/index-changes';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type TestConnection, withClient } from '@sightline/test/support/servers/test-server';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;
/** The owner's connection to the database. */
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi(async () => {
    const database = await createMigratedDatabase();
    ({ connection } = database);
    return database;
  });
  api.analyzer.facesOf = oneFace;
});
afterAll(() => api[Symbol.asyncDispose]());

/** A person who owns `home`, which is the default environment, and `work`. */
async function settled() {
  const client = await api.clientOfAccount();
  const [home] = (await client.listEnvironments()).body!.items;
  const work = (await client.createEnvironment({ body: { name: 'work' } })).body!;
  const { key } = (
    await client.createKey({ body: { environment_id: home!.id, label: 'camera', type: 'full' } })
  ).body!;
  const camera = createClient({ baseUrl: api.base, fetch, apiKey: key });
  return { client, camera, home: home!.id, work: work.id };
}

const request = (client: Client, id: number) => client.deleteEnvironment({ path: { id } });
const show = (client: Client, id: number) => client.getEnvironment({ path: { id } });

/** Does what the worker does. */
async function finish(): Promise<void> {
  const { stores, media, vectors } = api;
  while ((await stores.eraser.pending()).length > 0) {
    await deleteEnvironments({ eraser: stores.eraser, media, vectors });
    await indexChanges({ ...stores, source: stores.indexSource, index: vectors });
  }
}

/** Repeats a request until a process no longer remembers that its caller was valid. */
async function untilRefused(send: () => Promise<{ readonly status: number }>): Promise<number> {
  for (;;) {
    const { status } = await send();
    if (status !== 200) return status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function expectFiles(environmentId: number, count: number): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of api.media.list(`${environmentId}/`)) keys.push(key);
  expect(keys).toHaveLength(count);
}

describe('the deletion of an environment', () => {
  test('is reported until the environment is deleted', async () => {
    const { client, camera, home } = await settled();
    await camera.detectFaces({ body: { file: photo('0') } });
    await expectFiles(home, 2);
    expect((await show(client, home)).body).toMatchObject({ name: 'home', deleting: null });

    const accepted = await request(client, home);
    expect(accepted).toMatchObject({ status: 202, body: { status: 'pending' } });
    expect((await show(client, home)).body).toEqual({
      id: home,
      name: 'home',
      role: 'owner',
      created_at: expect.any(String),
      deleting: { total: 2, done: 0 },
    });
    expect(await request(client, home)).toMatchObject({ status: 202, body: accepted.body });

    await finish();
    expect(await show(client, home)).toMatchObject({ status: 404 });
    expect(await request(client, home)).toMatchObject({ status: 404 });
    await expectFiles(home, 0);
  });

  test('ends the access to it, and nothing is stored any more', async () => {
    const { client, camera, home, work } = await settled();
    expect((await camera.getStats()).status).toBe(200);
    expect((await client.getStats()).status).toBe(200);
    await client.changeProfile({ body: { default_environment_id: home } });
    await request(client, home);

    // A process may still remember the key, or the session, for a few seconds.
    const detected = await camera.detectFaces({ body: { file: photo('1') } });
    expect([401, 404]).toContain(detected.status);
    await expectFiles(home, 0);
    expect(await untilRefused(() => camera.getStats())).toBe(401);
    const named = { 'X-Environment-Id': String(home) };
    expect(await untilRefused(() => client.getStats({ headers: named }))).toBe(404);

    const { body: session } = await client.getSession();
    expect(session!.environment_id).toBe(work);
    expect((await client.getProfile()).body!.default_environment_id).toBeNull();
    const { items } = (await client.listEnvironments()).body!;
    expect(items.map(({ id }) => id)).toEqual([work]);
    expect((await client.listKeys()).body!.items).toEqual([]);
    const key = { environment_id: home, label: 'late', type: 'full' } as const;
    expect(await client.createKey({ body: key })).toMatchObject({ status: 404 });
    expect(
      await client.renameEnvironment({ path: { id: home }, body: { name: 'x' } }),
    ).toMatchObject({ status: 404 });
    await finish();
    expect((await camera.getStats()).status).toBe(401);
  });

  test('frees its name at once', async () => {
    const { client, home } = await settled();
    await request(client, home);
    expect(await client.createEnvironment({ body: { name: 'home' } })).toMatchObject({
      status: 201,
    });
    await finish();
  });

  test('keeps one environment for each owner', async () => {
    const { client, home, work } = await settled();
    const answers = await Promise.all([request(client, home), request(client, work)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      problem: { code: 'last_environment' },
    });
    await finish();
    expect((await client.listEnvironments()).body!.items).toHaveLength(1);
  });

  test('is requested by owners alone', async () => {
    const { home, camera } = await settled();
    const stranger = await settled();
    expect(await request(stranger.client, home)).toMatchObject({ status: 404 });
    expect(await request(camera, home)).toMatchObject({
      status: 401,
      problem: { code: 'unauthenticated' },
    });
    const account = (await stranger.client.getProfile()).body!.id;
    await withClient(connection, (client) =>
      client.query(
        `INSERT INTO members (environment_id, account_id, role) VALUES ($1, $2, 'editor')`,
        [home, account],
      ),
    );
    expect(await request(stranger.client, home)).toMatchObject({
      status: 403,
      problem: { code: 'forbidden' },
    });
    expect((await camera.getStats()).status).toBe(200);
  });
});
