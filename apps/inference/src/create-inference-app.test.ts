import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import { backgroundOf } from '@sightline/core/analysis/tenant';
import type { DesiredModels } from '@sightline/core/models/desired-models';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import { decodeAnswer } from '@sightline/engine/wire/answer-message';
import { decodeError } from '@sightline/engine/wire/error-message';
import {
  DEADLINE_HEADER,
  MAX_HEAD_BYTES,
  PREAMBLE_BYTES,
  TENANT_HEADER,
  WIRE_TYPE,
} from '@sightline/engine/wire/preamble';
import { encodeRequest } from '@sightline/engine/wire/request-message';
import { encodeTenant } from '@sightline/engine/wire/tenant-header';
import { WireVersionMismatch } from '@sightline/engine/wire/wire-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { AcceptedKeys } from './accepted-keys.ts';
import { createInferenceApp } from './create-inference-app.ts';
import { MAX_DESIRED_BYTES } from './desired/read-desired-models.ts';

const MAX_BYTES = 1000;
const MESSAGE = Buffer.concat(encodeRequest({ image: Uint8Array.of(1, 2, 3) }));

let server: Server;
let port: number;
let analyzed: AnalysisRequest[];
/** The desired models that a controller sent. */
let sent: DesiredModels[];
/** Whether the engine processes no image, not even one whose caller has left. */
let isIdle: boolean;
/** The environments whose queues are full. */
let overloaded: string[];
/** The route of each counted request, or the error code if the request was refused. */
let counted: string[];

beforeEach(() => open());

async function open(key: string | null = null): Promise<void> {
  analyzed = [];
  sent = [];
  counted = [];
  overloaded = [];
  isIdle = true;
  const app = createInferenceApp({
    engine: {
      get isIdle() {
        return isIdle;
      },
      requireRoom: (tenant) => {
        if (overloaded.includes(tenant.environment)) throw new InferenceOverloaded(7);
      },
      analyze: (request) => {
        analyzed.push(request);
        return Promise.resolve({
          image: { format: 'jpeg', width: request.image.length, height: 1, takenAt: null },
          faces: null,
          faceRegions: null,
          objects: null,
          source: null,
          boxCrops: [],
        });
      },
    },
    requests: { put: (desired) => void sent.push(desired) },
    status: () => ({ ready: true, provider: 'cpu', models: [], report: [] }),
    limits: { maxBytes: MAX_BYTES },
    bodyMemory: 1024 ** 3,
    keys: key === null ? null : new AcceptedKeys(() => [key]),
    logger: createLogger({ level: 'silent' }),
    observer: {
      started: () => undefined,
      finished: ({ route, refusal }) => counted.push(refusal ?? route),
    },
  });
  server = createServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
}

function close(): void {
  server.closeAllConnections();
  server.close();
}

afterEach(close);

type Headers = Readonly<Record<string, string | string[]>>;

function openRequest(headers: Headers): ClientRequest {
  return httpRequest({
    host: '127.0.0.1',
    port,
    path: '/v1/analyze',
    method: 'POST',
    headers: { 'content-type': WIRE_TYPE, ...headers },
  });
}

async function post(
  body: Uint8Array,
  headers: Headers = {},
): Promise<{ status: number; body: Buffer }> {
  const request = openRequest({ 'content-length': String(body.length), ...headers });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
  return { status: response.statusCode!, body: Buffer.concat(chunks) };
}

const codeOf = (body: Uint8Array) =>
  (JSON.parse(new TextDecoder().decode(body)) as { code: string }).code;

test('an image is analyzed within the time limit of its request', async () => {
  for (const deadline of ['3600000', '999999999999999']) {
    const { status, body } = await post(MESSAGE, { [DEADLINE_HEADER]: deadline });
    expect([status, decodeAnswer(body).image.width]).toEqual([200, 3]);
  }
});

test('an image is not analyzed if its request has no time left', async () => {
  const { status, body } = await post(MESSAGE, { [DEADLINE_HEADER]: '0' });
  expect([status, decodeError(body).code]).toEqual([503, 'inference_unavailable']);
  expect(analyzed).toEqual([]);
});

test.each<[string, Readonly<Record<string, string | string[]>>]>([
  ['a time that is not a number', { [DEADLINE_HEADER]: 'soon' }],
  ['an empty time', { [DEADLINE_HEADER]: '' }],
  ['a negative time', { [DEADLINE_HEADER]: '-5' }],
  ['an infinite time', { [DEADLINE_HEADER]: 'Infinity' }],
  ['two times', { [DEADLINE_HEADER]: ['5', '6'] }],
])('%s is refused', async (_, headers) => {
  const { status, body } = await post(MESSAGE, headers);
  expect([status, codeOf(body)]).toEqual([400, 'invalid_request']);
  expect(analyzed).toEqual([]);
});

test('the engine gets the tenant of a request', async () => {
  await post(MESSAGE, { [TENANT_HEADER]: '12/key-7' });
  await post(MESSAGE, encodeTenant(backgroundOf({ environmentId: 12 })));
  await post(MESSAGE);
  expect(analyzed.map(({ tenant }) => tenant)).toEqual([
    { environment: '12', caller: 'key-7' },
    { environment: '12', caller: 'jobs', lane: 'background' },
    { environment: '', caller: '' },
  ]);
});

test('only background callers learn that their image begins and ends alone', async () => {
  const interimResponses = async (headers: Headers) => {
    const request = openRequest({ 'content-length': String(MESSAGE.length), ...headers });
    let count = 0;
    request.on('information', ({ statusCode }) => (count += statusCode === 102 ? 1 : 0));
    request.end(MESSAGE);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response.resume(), 'close');
    return count;
  };
  const jobs = encodeTenant(backgroundOf({ environmentId: 12 }));
  expect(await interimResponses(jobs)).toBe(2);
  expect(await interimResponses({})).toBe(0);
  isIdle = false;
  expect(await interimResponses(jobs)).toBe(0);
});

test('a request of an overloaded tenant is refused before its image is read', async () => {
  overloaded = ['12'];
  const request = openRequest({ 'content-length': '1000', [TENANT_HEADER]: '12/key-7' });
  request.on('error', () => undefined).flushHeaders();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(429);
  expect(decodeError(Buffer.from(await text(response)))).toMatchObject({ retryAfterSeconds: 7 });
  request.destroy();
  expect((await post(MESSAGE, { [TENANT_HEADER]: '13/key-8' })).status).toBe(200);
});

test('a malformed tenant is refused', async () => {
  const { status, body } = await post(MESSAGE, { [TENANT_HEADER]: 'everyone' });
  expect([status, codeOf(body)]).toEqual([400, 'malformed_message']);
});

test('a body of another type is refused', async () => {
  const { status, body } = await post(MESSAGE, { 'content-type': 'image/jpeg' });
  expect([status, codeOf(body)]).toEqual([415, 'unsupported_media_type']);
});

test('a body without a length is refused', async () => {
  const request = openRequest({ 'transfer-encoding': 'chunked' });
  request.end(MESSAGE);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(400);
  expect(codeOf(Buffer.from(await text(response)))).toBe('invalid_request');
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['something else', Buffer.from('GIF89a, or whatever else is long enough')],
  ['a head that is cut off', MESSAGE.subarray(0, PREAMBLE_BYTES + 1)],
])('a body is refused that is %s', async (_, message) => {
  const { status, body } = await post(message);
  expect([status, codeOf(body)]).toEqual([400, 'malformed_message']);
});

test('a client with another wire version gets the version of the process', async () => {
  const other = Buffer.from(MESSAGE);
  other[4] = 2;
  const { status, body } = await post(other);
  expect(status).toBe(400);
  expect(() => decodeError(body)).toThrow(WireVersionMismatch);
  expect(JSON.parse(body.toString())).toMatchObject({ code: 'wire_version', facts: { spoken: 1 } });
});

test('bytes after a body do not become part of an image', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.end(
    Buffer.concat([
      Buffer.from(
        `POST /v1/analyze HTTP/1.1\r\nhost: x\r\ncontent-type: ${WIRE_TYPE}\r\ncontent-length: ${MESSAGE.length}\r\n\r\n`,
      ),
      MESSAGE,
      Buffer.alloc(100, 'z'),
    ]),
  );
  expect(await text(socket)).toContain('HTTP/1.1 400 ');
  expect((await post(MESSAGE)).status).toBe(200);
  for (const { image } of analyzed) expect([...image]).toEqual([1, 2, 3]);
});

test('a body that ends early does not reach the engine, and the next request succeeds', async () => {
  const request = openRequest({ 'content-length': String(MESSAGE.length) });
  request.on('error', () => undefined).write(MESSAGE.subarray(0, 5));
  const [received] = (await once(server, 'request')) as [IncomingMessage];
  const closed = new Promise((resolve) => received.once('close', resolve));
  request.destroy();
  await closed;
  expect((await post(MESSAGE)).status).toBe(200);
  expect(analyzed).toHaveLength(1);
});

test('clients that announce large bodies and send nothing reserve no memory', async () => {
  const large = String(PREAMBLE_BYTES + MAX_HEAD_BYTES);
  const announced = Array.from({ length: 300 }, () => openRequest({ 'content-length': large }));
  const refused: unknown[] = [];
  let arrived = 0;
  server.on('request', () => arrived++);
  for (const request of announced) {
    request
      .on('error', () => undefined)
      .on('response', ({ statusCode }) => refused.push(statusCode));
    request.write(MESSAGE.subarray(0, 5));
  }
  while (arrived < announced.length) await new Promise((next) => setImmediate(next));
  expect((await post(MESSAGE)).status).toBe(200);
  expect(refused).toEqual([]);
  for (const request of announced) request.destroy();
  while (counted.length <= announced.length) await new Promise((next) => setImmediate(next));
});

test('with a key, every request needs it, status requests included', async () => {
  const key = 'the key of this test';
  close();
  await open(key);
  const statusOf = async (authorization: string | null) => {
    const headers = authorization === null ? undefined : { authorization };
    const response = await fetch(`http://127.0.0.1:${port}/v1/status`, { headers });
    return [response.status, response.headers.get('www-authenticate')];
  };
  for (const wrong of [null, key, 'Bearer ', `Bearer ${key}x`, `Bearer ${key.slice(1)}`]) {
    expect(await statusOf(wrong)).toEqual([401, 'Bearer']);
    const { status, body } = await post(MESSAGE, wrong === null ? {} : { authorization: wrong });
    expect([status, codeOf(body)]).toEqual([401, 'unauthenticated']);
    expect(body.toString()).not.toContain(key);
  }
  expect(analyzed).toEqual([]);
  expect(await statusOf(`Bearer ${key}`)).toEqual([200, null]);
  expect((await post(MESSAGE, { authorization: `Bearer ${key}` })).status).toBe(200);
  while (counted.length < 6) await new Promise((next) => setImmediate(next));
  expect(counted).toEqual([...Array.from({ length: 5 }, () => 'unauthenticated'), '/v1/analyze']);
});

const FACES = { task: 'face', revision: 'a'.repeat(64), keep: 'loaded' } as const;
const DESIRED: DesiredModels = {
  provider: 'auto',
  models: [FACES, { ...FACES, name: 'words', task: 'open_vocabulary', keep: 'disk' }],
};

async function put(body: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/models`, {
    method: 'PUT',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

test('a controller sends the desired models, with members that this release does not know', async () => {
  const { models } = DESIRED;
  expect((await put(JSON.stringify(DESIRED))).status).toBe(204);
  expect((await put(JSON.stringify({ models, since: 1 }))).status).toBe(204);
  expect(sent).toEqual([DESIRED, DESIRED]);
});

test.each<[string, unknown]>([
  ['no models', { provider: 'auto' }],
  ['another provider', { ...DESIRED, provider: 'cuda' }],
  ['another task', { models: [{ ...FACES, task: 'voice' }] }],
  ['an unknown keep', { models: [{ ...FACES, keep: 'all' }] }],
  ['a path', { models: [{ ...FACES, revision: '../../etc/passwd' }] }],
  ['nothing', null],
])('desired models are refused that have %s', async (_, desired) => {
  const { status, body } = await put(JSON.stringify(desired));
  expect([status, codeOf(body), sent]).toEqual([400, 'malformed_message', []]);
});

test('desired models that are no JSON, too long or of another type are refused', async () => {
  expect((await put('{')).status).toBe(400);
  expect((await put(' '.repeat(MAX_DESIRED_BYTES + 1))).status).toBe(413);
  const plain = { 'content-type': 'text/plain' };
  expect((await put(JSON.stringify(DESIRED), plain)).status).toBe(415);
  expect(sent).toEqual([]);
});

test('desired models need the key', async () => {
  close();
  await open('the key of this test');
  expect((await put(JSON.stringify(DESIRED))).status).toBe(401);
  expect(sent).toEqual([]);
});

test('status requests are neither logged nor counted', async () => {
  const status = await fetch(`http://127.0.0.1:${port}/v1/status`);
  expect([status.status, await status.json()]).toMatchObject([200, { ready: true }]);
  await post(MESSAGE);
  // The process counts a request just after the client has received the response.
  while (counted.length === 0) await new Promise((next) => setImmediate(next));
  expect(counted).toEqual(['/v1/analyze']);
});
