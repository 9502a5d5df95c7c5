import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { NO_TENANT } from '@sightline/core/analysis/tenant';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import type { FetchImage } from '@sightline/core/sources/fetch-image';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import { Spool } from '@sightline/platform/http/spool';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { People } from '../testing/browser.ts';

const KIB = 1024;
const photo = (size = 1000) => new File([Buffer.alloc(size, 'x')], 'a.jpg');

const bodies = {
  memory: new BodyMemory(300 * KIB),
  spool: new Spool({ maxBytes: 300 * KIB, reserveBytes: 0 }),
  archives: new Spool({ maxBytes: 300 * KIB, reserveBytes: 0 }),
};
/** Resolves when the last byte of a fetched image comes. */
let completing: () => Promise<undefined>;
const fetchImage: FetchImage = async (_url, { take }) => {
  take?.(200 * KIB);
  await completing();
  return new Uint8Array(200 * KIB);
};
let api: ApiServer;
let sockets: Socket[];

beforeAll(async () => {
  api = await startApi(createMigratedDatabase, { bodies, fetchImage, batchConcurrency: 8 });
});
afterAll(() => api[Symbol.asyncDispose]());
beforeEach(() => {
  sockets = [];
  completing = () => Promise.resolve(undefined);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await api.reset();
});

async function post(path: string, file: File, key = api.key) {
  const body = new FormData();
  body.append('file', file);
  const response = await api.fetch(path, { method: 'POST', body, headers: { 'X-API-Key': key } });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') };
}

/** Sends a form without its last bytes, and waits until the service answers or has read all other bytes. */
async function hold(path: string, key: string, size: number): Promise<string> {
  const { hostname, port } = new URL(api.base);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=x\r\n` +
      `Content-Length: ${part.length + size + 100}\r\n\r\n${part}`,
  );
  socket.write(Buffer.alloc(size, 'x'));
  const answered = once(socket, 'data').then(([data]) => String(data));
  // The service has read all bytes of this request before it answers a later request of another key.
  const other = await api.createKey({ environment: 'witness' });
  const passed = (async () => {
    for (let i = 0; i < 3; i++) {
      await api.fetch('/api/stats', { headers: { 'X-API-Key': other } });
    }
    return 'held';
  })();
  return Promise.race([answered, passed]);
}

test('a key without a place in the queue is refused before it sends its image', async () => {
  const tenants: unknown[] = [];
  api.analyzer.admit = (tenant) => {
    tenants.push(tenant);
    throw new InferenceOverloaded(7);
  };
  const { hostname, port } = new URL(api.base);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.write(
    `POST /api/test HTTP/1.1\r\nHost: x\r\nX-API-Key: ${api.key}\r\nContent-Type: image/x\r\nContent-Length: 1000\r\n\r\n`,
  );
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString()).toMatch(/^HTTP\/1\.1 429 [^]*Retry-After: 7[^]*overloaded/i);
  expect(tenants).toEqual([{ environment: expect.any(String), caller: expect.any(String) }]);
  expect(tenants).not.toEqual([NO_TENANT]);
});

test('inference learns on whose behalf it works', async () => {
  await post('/api/test', photo());
  await post('/api/test', photo(), await api.createKey({}));
  const [first, second] = api.analyzer.requests.map(({ tenant }) => tenant!);
  expect(first!.environment).toBe(second!.environment);
  expect(first!.caller).not.toBe(second!.caller);
});

test.each(['/api/test', '/api/test/batch'])(
  '%s: uploads that a key holds leave room for other keys and environments',
  async (path) => {
    const greedy = await api.createKey({ right: 'read' });
    const answers: string[] = [];
    for (let i = 0; i < 8; i++) answers.push(await hold(path, greedy, 30 * KIB));
    expect(answers.filter((answer) => answer === 'held').length).toBeGreaterThan(1);
    expect(await post(path, photo(20 * KIB), greedy)).toMatchObject({
      status: 429,
      code: 'overloaded',
      retryAfter: '1',
    });
    expect((await post(path, photo(20 * KIB))).status).toBe(200);
    const elsewhere = await api.createKey({ environment: 'elsewhere' });
    expect((await post(path, photo(40 * KIB), elsewhere)).status).toBe(200);
  },
);

test('an image at a URL counts in the memory of its request, until the request ends', async () => {
  const [key, elsewhere] = [await api.createKey({}), await api.createKey({ environment: 'other' })];
  const ask = async (key: string) => {
    const body = JSON.stringify({ image_url: 'https://example.org/a.jpg' });
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const response = await api.fetch('/api/test', { method: 'POST', body, headers });
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  };
  const complete = Promise.withResolvers<undefined>();
  const begun = Promise.withResolvers<undefined>();
  completing = () => {
    begun.resolve(undefined);
    return complete.promise;
  };
  const first = ask(key);
  await begun.promise;
  expect(await ask(elsewhere)).toEqual({ status: 429, retryAfter: '5' });
  complete.resolve(undefined);
  expect(await first).toMatchObject({ status: 200 });
  expect(await ask(elsewhere)).toMatchObject({ status: 200 });
});

test('the files of a batch wait for memory before they are read', async () => {
  const { spool } = bodies;
  bodies.spool = new Spool({ maxBytes: 3000 * KIB, reserveBytes: 0 });
  let analyzed = 0;
  let most = 0;
  api.analyzer.before = async () => {
    most = Math.max(most, ++analyzed);
    await sleep(500);
    analyzed -= 1;
  };
  const body = new FormData();
  for (let i = 0; i < 3; i++) body.append('file', photo(90 * KIB));
  const headers = { 'X-API-Key': api.key };
  const response = await api.fetch('/api/test/batch', { method: 'POST', body, headers });
  bodies.spool = spool;
  expect(await response.json()).toMatchObject({
    total: 3,
    results: Array(3).fill({ faces: [{}] }),
  });
  expect(most).toBe(2);
});

test('a batch for which the disk has no room is refused as a store that is full', async () => {
  const { spool } = bodies;
  bodies.spool = new Spool({
    maxBytes: 300 * KIB,
    reserveBytes: 10 * KIB,
    lookUp: () => Promise.resolve(20 * KIB),
  });
  const refused = await post('/api/test/batch', photo(30 * KIB));
  bodies.spool = spool;
  expect(refused).toEqual({ status: 503, code: 'store_unavailable', retryAfter: '5' });
  expect((await post('/api/test/batch', photo())).status).toBe(200);
});

test('a key with a share of the requests in progress is refused, and others are not', async () => {
  await using small = await startApi(createMigratedDatabase, { bodies, maxRequests: 9 });
  const { hostname, port } = new URL(small.base);
  // Requests whose bodies do not come are in progress.
  const open = () => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.write(
      `POST /api/identities HTTP/1.1\r\nHost: x\r\nX-API-Key: ${small.key}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n`,
    );
  };
  for (let i = 0; i < 3; i++) open();
  const stats = (key: string) => small.fetch('/api/stats', { headers: { 'X-API-Key': key } });
  // The service has received these requests before it answers later ones of another key.
  const other = await small.createKey({ environment: 'another' });
  for (let i = 0; i < 3; i++) expect((await stats(other)).status).toBe(200);
  const answer = await stats(small.key);
  expect({ status: answer.status, retryAfter: answer.headers.get('retry-after') }).toEqual({
    status: 429,
    retryAfter: '1',
  });
  expect(await answer.json()).toMatchObject({ code: 'overloaded' });
  expect((await stats(other)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  while ((await stats(small.key)).status !== 200);
});

test('the environments of an account have one share of the requests in progress together', async () => {
  await using small = await startApi(createMigratedDatabase, { bodies, maxRequests: 9 });
  const { hostname, port } = new URL(small.base);
  const other = await small.createKey({ environment: 'another' });
  const people = await People.of(small);
  // The first administrator owns the environments of the other keys.
  await people.newAccount({ isAdmin: true });
  const { browser } = await people.signedIn();
  const newKey = async (name: string) => {
    const { body } = await browser.call('/api/account/environments', { body: { name } });
    const { id: environment_id } = body as { id: number };
    const given = { environment_id, label: name, type: 'full' };
    const made = await browser.call('/api/account/keys', { body: given });
    return made.body as { id: number; environment_id: number; key: string };
  };
  const made: Awaited<ReturnType<typeof newKey>>[] = [];
  for (let i = 0; i < 6; i++) made.push(await newKey(`home ${i}`));
  const keys = made.map(({ key }) => key);
  const open = (key: string) => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.write(
      `POST /api/identities HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n`,
    );
  };
  const stats = async (key: string) =>
    (await small.fetch('/api/stats', { headers: { 'X-API-Key': key } })).status;
  let status = 200;
  for (let i = 0; i < 100 && status === 200; i++) {
    open(keys[i % 5]!);
    status = await stats(keys[5]!);
  }
  expect(status).toBe(429);
  expect((await browser.call('/api/stats')).status).toBe(429);
  // The owner can still look after the account, and revoke the keys.
  const { id, environment_id } = made[0]!;
  for (const path of ['/sessions', '/keys', `/environments/${environment_id}/members`]) {
    expect((await browser.call(`/api/account${path}`)).status).toBe(200);
  }
  const revoked = await browser.call(`/api/account/keys/${id}`, { method: 'DELETE' });
  expect(revoked.status).toBe(204);
  expect(await stats(other)).toBe(200);
  for (const socket of sockets) socket.destroy();
  while ((await stats(keys[5]!)) !== 200);
  // Environments of administrators are counted alone, because one may own all of an installation.
  const found = await small.stores.keys.list();
  const owners = found.map(({ countedOwnerId }) => countedOwnerId);
  expect(owners.filter((id) => id !== null)).toHaveLength(6);
  expect(owners).toContain(null);
});

test('a key that has sent the requests of a minute is refused', async () => {
  await using limited = await startApi(createMigratedDatabase);
  await limited.stores.systemSettings.put('system.rate_limit_per_minute', 2);
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await limited.fetch('/api/stats')).status);
  expect(statuses).toEqual([200, 200, 429]);
  const refused = await limited.fetch('/api/stats');
  expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20);
  const other = await limited.createKey({});
  const answer = await limited.fetch('/api/stats', { headers: { 'X-API-Key': other } });
  expect(answer.status).toBe(200);
});

test('a client that disconnects gives its share of the requests back at any moment', async () => {
  let reads = 0;
  const systemSettings = {
    all: async () => {
      reads++;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return new Map([['system.rate_limit_per_minute', 0]]);
    },
    changes: () => Promise.resolve(new Map<string, never>()),
    put: () => Promise.resolve(),
  };
  await using small = await startApi(createMigratedDatabase, {
    bodies,
    maxRequests: 9,
    systemSettings,
  });
  const { hostname, port } = new URL(small.base);
  const stats = async () => (await small.fetch('/api/stats')).status;
  await stats();
  for (let i = 0; i < 9; i++) {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.write(`GET /api/stats HTTP/1.1\r\nHost: x\r\nX-API-Key: ${small.key}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 10 * i));
    socket.destroy();
  }
  // The last requests may still run, but none is counted for longer than it runs.
  let status = await stats();
  while (status !== 200) status = await stats();
  expect(reads).toBeGreaterThan(0);
});
