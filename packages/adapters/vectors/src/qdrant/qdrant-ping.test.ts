import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { freePort } from '@sightline/dev-platform/free-port';
import { QdrantPing } from './qdrant-ping.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const never = new AbortController().signal;

test('sends one request, with the key and without compression', async () => {
  const seen: unknown[] = [];
  const url = await serve((request, response) => {
    const { 'api-key': key, 'accept-encoding': encoding } = request.headers;
    seen.push([request.method, request.url, key, encoding]);
    response.setHeader('content-type', 'application/json').end('{"result":{"aliases":[]}}');
  });
  await new QdrantPing({ url, apiKey: () => ['key'] }).ping(never);
  expect(seen).toEqual([['GET', '/aliases', 'key', 'identity']]);
});

test('sends the other key if the server refuses the first one', async () => {
  const seen: unknown[] = [];
  const url = await serve((request, response) => {
    const { 'api-key': key } = request.headers;
    seen.push(key);
    response.writeHead(key === 'old' ? 200 : 401, { 'content-type': 'application/json' });
    response.end('{"result":{"aliases":[]}}');
  });
  const ping = new QdrantPing({ url, apiKey: () => ['new', 'old'] });
  await ping.ping(never);
  await ping.ping(never);
  expect(seen).toEqual(['new', 'old', 'old']);
});

test('reports why the server does not respond', async () => {
  const refusing = await serve((_, response) => response.writeHead(401).end('{}'));
  await expect(new QdrantPing({ url: refusing }).ping(never)).rejects.toMatchObject({
    code: 'vectors_unavailable',
    cause: { code: 'HTTP_401' },
  });
  const url = new URL(`http://127.0.0.1:${await freePort()}`);
  await expect(new QdrantPing({ url }).ping(never)).rejects.toMatchObject({
    code: 'vectors_unavailable',
    cause: { code: 'ECONNREFUSED' },
  });
});

test('aborts a request to a server that hangs', async () => {
  const received = Promise.withResolvers<null>();
  const url = await serve(() => received.resolve(null));
  const reason = new Error('the caller left');
  const controller = new AbortController();
  const outcome = expect(new QdrantPing({ url }).ping(controller.signal)).rejects.toBe(reason);
  await received.promise;
  controller.abort(reason);
  await outcome;
});
