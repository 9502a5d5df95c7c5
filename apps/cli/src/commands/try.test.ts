import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { LocalDatabase } from '@sightline/test/support/servers/local-database';
import { withClient } from '@sightline/test/support/servers/test-server';
import { tryService } from './try.ts';

const PHOTO = resolve('apps/demo/pictures/party.jpg');

let database: LocalDatabase;
let answer: readonly [status: number, body: string];
let asked: readonly [request: IncomingMessage, body: string] | null;
const api = createServer((request, response) => {
  void text(request).then((body) => {
    asked = [request, body];
    response.writeHead(answer[0]).end(answer[1]);
  });
});

beforeAll(async () => {
  database = await LocalDatabase.migrated();
  await once(api.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  api.close();
  await database[Symbol.asyncDispose]();
});
beforeEach(() => {
  asked = null;
});

async function attempt(photo: string): Promise<string[]> {
  const lines: string[] = [];
  const limits = { roleSuffix: '', connections: 2, statementTimeout: 30_000, lockTimeout: 30_000 };
  const settings = { url: () => [database.url], password: null, ...limits };
  await tryService.run({
    options: {},
    operands: [`http://127.0.0.1:${(api.address() as AddressInfo).port}`, photo],
    data: 'there-is-none',
    stores: () => ({ database: settings, s3: null, qdrant: null }),
    databaseOwner: () => null,
    secretKey: { secretKey: null, secretKeyFile: null },
    startTimeout: 0,
    version: '1.0.0',
    print: (line) => void lines.push(line),
    note: () => undefined,
    signal: new AbortController().signal,
  });
  return lines;
}

function keysInUse(): Promise<unknown> {
  return withClient(database.connection, async (client) => {
    const { rows } = await client.query('SELECT label FROM keys WHERE revoked_at IS NULL');
    return rows as readonly unknown[];
  });
}

test('posts the photo with a key that is revoked afterwards', async () => {
  answer = [200, '{"faces": [{}, {}]}'];
  expect(await attempt(PHOTO)).toEqual([
    expect.stringMatching(/^http:\S+ answers. Faces in party.jpg: 2.$/),
  ]);
  const [{ method, url, headers }, body] = asked!;
  expect([method, url, headers['x-api-key']]).toEqual([
    'POST',
    '/api/identify',
    expect.any(String),
  ]);
  expect(body).toContain('filename="party.jpg"');
  expect(await keysInUse()).toEqual([]);
});

test('a failure is explained, and the key is revoked', async () => {
  answer = [503, '{"code": "inference_unavailable"}'];
  await expect(attempt(PHOTO)).rejects.toThrow(/answers 503: {"code": "inference_unavailable"}$/);
  await expect(attempt('there-is-no.jpg')).rejects.toThrow('there-is-no.jpg cannot be read.');
  expect(await keysInUse()).toEqual([]);
});
