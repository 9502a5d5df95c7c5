import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Logger } from '@sightline/platform/logging/logger';
import { freePort } from '@sightline/dev-platform/free-port';
import type { QdrantOptions } from './qdrant-options.ts';
import { QdrantVectorIndex } from './qdrant-vector-index.ts';

const KEY = 'a-secret-key';
const space = { environmentId: 1, modelId: 1, kind: 'faces', dimension: 2 } as const;
const vectors = [Float32Array.of(1, 0)];
const points = [{ id: 1, identityId: null, fingerprint: 1, vector: vectors[0]! }];

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listen(server: Server): Promise<URL> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const serve = (listener: RequestListener) => listen(createHttpServer(listener));

/** A server that accepts connections but never answers. `received` resolves at its first request. */
async function hanging() {
  const received = Promise.withResolvers<null>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => received.resolve(null));
  });
  return { url: await listen(server), received: received.promise };
}

function open(url: URL, options: Partial<QdrantOptions> = {}) {
  const warnings: unknown[] = [];
  const logger = { warn: (...args: unknown[]) => warnings.push(args) } as unknown as Logger;
  const installation = '0192f0c1-2345-7abc-8def-0123456789ab';
  const index = new QdrantVectorIndex({
    url,
    installation,
    logger,
    apiKey: () => [KEY],
    ...options,
  });
  return { index, warnings };
}

const error = (text: string) => JSON.stringify({ status: { error: text }, time: 0 });

type Call = (index: QdrantVectorIndex, signal?: AbortSignal) => Promise<unknown>;

const CALLS: readonly (readonly [string, Call])[] = [
  ['upsert', (index, signal) => index.upsert(space, points, signal)],
  ['remove', (index, signal) => index.remove(space, [1], signal)],
  ['searchPoints', (index, signal) => index.searchPoints(space, { vectors, limit: 1 }, signal)],
  [
    'searchIdentities',
    (index, signal) => index.searchIdentities(space, { vectors, limit: 1 }, signal),
  ],
  ['list', (index, signal) => index.list(space, { after: 0, limit: 1 }, signal)],
  ['dropEnvironment', (index, signal) => index.dropEnvironment(1, signal)],
  ['requireAnswer', (index, signal) => index.requireAnswer(signal)],
  ['begin', (index, signal) => index.begin(signal)],
];

describe.each(CALLS)('%s', (_, call) => {
  test('aborts a request to a server that hangs', async () => {
    const { url, received } = await hanging();
    const reason = new Error('the caller left');
    const controller = new AbortController();
    const outcome = expect(call(open(url).index, controller.signal)).rejects.toBe(reason);
    await received;
    controller.abort(reason);
    await outcome;
  });

  test('times out on a server that hangs', async () => {
    const { url } = await hanging();
    const { index } = open(url, { timeouts: { read: 50, write: 50, change: 50 } });
    await expect(call(index)).rejects.toMatchObject({
      code: 'vectors_unavailable',
      message: 'The vector index timed out.',
      cause: expect.objectContaining({ code: 'TIMEOUT' }),
    });
  });

  test('reports a refused connection', async () => {
    const url = new URL(`http://127.0.0.1:${await freePort()}`);
    await expect(call(open(url).index)).rejects.toMatchObject({
      code: 'vectors_unavailable',
      message: 'The vector index cannot be reached.',
      cause: expect.objectContaining({ code: 'ECONNREFUSED' }),
    });
  });
});

describe('an error response', () => {
  const full = error('Service internal error: No space left on device: WAL buffer size exceeds');
  test.each([
    [401, 'Must provide an API key', 'HTTP_401', /rejects the API key/],
    [403, error('Forbidden: a-secret-key'), 'HTTP_403', /rejects the API key/],
    [429, error('Rate limiting exceeded'), 'HTTP_429', /overloaded/],
    [500, error('Service internal error: panicked'), 'HTTP_500', /failed/],
    [500, full, 'FULL', /no disk space left/],
    [502, '<html>', 'HTTP_502', /failed/],
    [503, '', 'HTTP_503', /overloaded/],
    [200, '<html>', 'NO_QDRANT', /is not Qdrant/],
  ])('%d means unavailable, with a message that does not contain the key', async (...answer) => {
    const [status, body, code, text] = answer;
    const url = await serve((request, response) => {
      request.resume();
      const retry = status === 429 ? { 'retry-after': '3' } : {};
      const type = body.startsWith('{') ? 'application/json' : 'text/html';
      response.writeHead(status, { 'content-type': type, ...retry }).end(body);
    });
    const { index } = open(url);
    const searched = index.searchPoints(space, { vectors, limit: 1 });
    const failure: unknown = await searched.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(failure).toMatchObject({
      code: 'vectors_unavailable',
      message: expect.stringMatching(text),
      cause: expect.objectContaining({ code }),
    });
    const { message, stack, cause } = failure as Error;
    expect(JSON.stringify([message, stack, String(cause), cause])).not.toContain(KEY);
    expect(await index.state()).toBe('unavailable');
  });

  test('retries on a new connection if the server has closed the kept one', async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      request.resume();
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else response.setHeader('content-type', 'application/json').end('{"result":[{"points":[]}]}');
    });
    const hits = await open(url).index.searchPoints(space, { vectors, limit: 1 });
    expect(hits).toEqual([[]]);
    expect(requests).toBe(2);
  });
});

describe('requireAnswer', () => {
  test('trusts the given check and sends no request', async () => {
    const { url } = await hanging();
    const down = new Error('It is down.');
    const { index } = open(url, { requireAnswer: () => Promise.reject(down) });
    await expect(index.requireAnswer()).rejects.toBe(down);
    await open(url, { requireAnswer: () => Promise.resolve() }).index.requireAnswer();
  });

  test('sends requests after the index was found to be missing', async () => {
    const received: unknown[] = [];
    const url = await serve((request, response) => {
      request.resume();
      received.push(request.url);
      const isSearch = request.method === 'POST';
      response.writeHead(isSearch ? 404 : 200, { 'content-type': 'application/json' });
      response.end(isSearch ? error('Not found') : '{"result":{"aliases":[]}}');
    });
    const { index } = open(url, { requireAnswer: () => Promise.resolve() });
    const incomplete = { code: 'vectors_unavailable', message: expect.stringMatching(/built/) };
    await index.requireAnswer();
    expect(received).toEqual([]);
    await expect(index.searchPoints(space, { vectors, limit: 1 })).rejects.toMatchObject(
      incomplete,
    );
    received.splice(0);
    await expect(index.requireAnswer()).rejects.toMatchObject(incomplete);
    expect(received).toEqual(['/aliases']);
  });
});

test("sends the key with every request, and the URL's path as prefix", async () => {
  const seen: unknown[] = [];
  const url = await serve((request, response) => {
    request.resume();
    seen.push([request.headers['api-key'], request.url]);
    response.setHeader('content-type', 'application/json').end('{"result":[{"points":[]}]}');
  });
  await open(new URL('/vectors/', url)).index.searchPoints(space, { vectors, limit: 1 });
  const path = '/vectors/collections/sightline-0123456789ab-faces-1-2/points/query/batch';
  expect(seen).toEqual([[KEY, path]]);
});

test('passes on the error of a guard and sends no request', async () => {
  const tripped = new Error('the circuit is open');
  const { index } = open(new URL('http://127.0.0.1:1'), { guard: () => Promise.reject(tripped) });
  await expect(index.searchPoints(space, { vectors, limit: 1 })).rejects.toBe(tripped);
  expect(await index.state()).toBe('unavailable');
});

test('a guard that finds the server hanging aborts waiting requests', async () => {
  const { url, received } = await hanging();
  const watch = new AbortController();
  const { index } = open(url, {
    guard: (operation, signal) =>
      operation(AbortSignal.any([watch.signal, ...(signal ? [signal] : [])])),
  });
  const searched = index.searchPoints(space, { vectors, limit: 1 });
  await received;
  watch.abort(new Error('it hangs'));
  await expect(searched).rejects.toMatchObject({ code: 'vectors_unavailable' });
});

test.each([
  ['http://qdrant.example:6333', 1],
  ['https://qdrant.example:6333', 0],
  ['http://localhost:6333', 0],
  ['http://127.0.0.1:6333', 0],
  ['http://[::1]:6333', 0],
])('for a key sent to %s: %d warnings', (address, count) => {
  const { warnings } = open(new URL(address));
  expect(warnings).toHaveLength(count);
  expect(JSON.stringify(warnings)).not.toContain(KEY);
});

test('rejects an invalid key or UUID without showing the key', () => {
  const url = new URL('http://localhost:6333');
  const wrong = expect.objectContaining({
    name: 'RangeError',
    message: expect.not.stringContaining('secret'),
  });
  expect(() => open(url, { apiKey: () => ['secret\nkey'] })).toThrow(wrong);
  expect(() => open(url, { installation: 'mine' })).toThrow(wrong);
});
