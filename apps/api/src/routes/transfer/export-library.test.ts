import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import { Spool } from '@sightline/platform/http/spool';
import { readArchive } from '@sightline/test/support/fixtures/read-archive';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace } from '../../testing/people.ts';

const MIB = 1024 ** 2;
const IMAGES = 12;

let api: ApiServer;

/** Stores a library of 48 MiB, which is more than the buffers of sockets and the read-ahead together. */
beforeAll(async () => {
  const bodies = {
    // The share of one key in this memory has room for a single export.
    memory: new BodyMemory(40 * MIB),
    spool: new Spool({ maxBytes: MIB, reserveBytes: 0 }),
    archives: new Spool({ maxBytes: MIB, reserveBytes: 0 }),
  };
  api = await startApi(createMigratedDatabase, { bodies });
  api.analyzer.facesOf = oneFace;
  const administrator = await api.clientOf({ isAdmin: true });
  const path = { key: 'system.keep_originals' };
  await administrator.putSetting({ path, body: { value: true } });
  for (let index = 0; index < IMAGES; index++) {
    const file = new File([`${index} `.padEnd(4 * MIB, 'x')], 'large.jpg');
    const { status } = await api.client.detectFaces({ body: { file } });
    expect(status).toBe(200);
  }
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => api[Symbol.asyncDispose]());

/** Starts an export without reading its body. */
async function startExport(): Promise<IncomingMessage> {
  const headers = { 'X-API-Key': api.key };
  const sent = request(`${api.base}/api/export`, { method: 'POST', headers, agent: false });
  sent.on('error', () => undefined);
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat((await Array.fromAsync(response)) as Buffer[]);
}

test('a client that reads slowly gets all of it, and is not read ahead of', async () => {
  const opened = jest.spyOn(api.media, 'open');
  const response = await startExport();
  let before: number;
  do {
    before = opened.mock.calls.length;
    await delay(200);
  } while (opened.mock.calls.length > before);
  expect(before).toBeLessThan(IMAGES * 3);
  const { images } = await readArchive(await readAll(response));
  expect(images).toHaveLength(IMAGES);
  expect(opened).toHaveBeenCalledTimes(IMAGES * 3);
});

test('a client that disconnects frees its memory', async () => {
  const response = await startExport();
  const { problem, headers } = await api.client.exportLibrary({ body: {} });
  expect(problem).toMatchObject({ status: 429, code: 'overloaded' });
  expect(headers.get('retry-after')).toBe('1');
  expect((await api.client.exportLibrary({ body: {} })).status).toBe(429);
  response.destroy();
  let status: number;
  do ({ status } = await api.client.exportLibrary({ body: {} }));
  while (status === 429);
  expect(status).toBe(200);
});

test('an outage in the middle breaks the connection', async () => {
  const open = api.media.open.bind(api.media);
  let left = 12;
  jest.spyOn(api.media, 'open').mockImplementation((...call) => {
    if (left-- > 0) return open(...call);
    return Promise.reject(new StoreUnavailable('The media store is away.'));
  });
  const response = await startExport();
  expect(response.statusCode).toBe(200);
  await expect(readAll(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
});
