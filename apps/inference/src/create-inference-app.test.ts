import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import { decodeAnswer } from '@sightline/engine/wire/answer-message';
import { decodeError } from '@sightline/engine/wire/error-message';
import { DEADLINE_HEADER, PREAMBLE_BYTES, WIRE_TYPE } from '@sightline/engine/wire/preamble';
import { encodeRequest } from '@sightline/engine/wire/request-message';
import { WireVersionMismatch } from '@sightline/engine/wire/wire-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { createInferenceApp } from './create-inference-app.ts';

const MAX_BYTES = 1000;
const MESSAGE = Buffer.concat(encodeRequest({ image: Uint8Array.of(1, 2, 3) }));

let server: Server;
let port: number;
/** What has reached the engine. */
let analyzed: AnalysisRequest[];
/** The routes of the requests that were counted. */
let counted: string[];

beforeEach(async () => {
  analyzed = [];
  counted = [];
  const app = createInferenceApp({
    engine: {
      analyze: (request) => {
        analyzed.push(request);
        return Promise.resolve({
          image: { format: 'jpeg', width: request.image.length, height: 1 },
          ...{ faces: null, faceRegions: null, objects: null, source: null },
        });
      },
    },
    status: () => ({ ready: true, provider: 'cpu', models: [] }),
    limits: { maxBytes: MAX_BYTES },
    logger: createLogger({ level: 'silent' }),
    observer: { started: () => undefined, finished: ({ route }) => counted.push(route) },
  });
  server = createServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function post(
  body: Uint8Array,
  headers: Readonly<Record<string, string | string[]>> = {},
): Promise<{ status: number; body: Buffer }> {
  const asked = httpRequest({
    ...{ host: '127.0.0.1', port, path: '/v1/analyze', method: 'POST' },
    headers: { 'content-type': WIRE_TYPE, 'content-length': String(body.length), ...headers },
  });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
  return { status: response.statusCode!, body: Buffer.concat(chunks) };
}

const codeOf = (body: Uint8Array) =>
  (JSON.parse(new TextDecoder().decode(body)) as { code: string }).code;

test('an image is analyzed in the time that there is for it', async () => {
  for (const deadline of ['3600000', '999999999999999']) {
    const { status, body } = await post(MESSAGE, { [DEADLINE_HEADER]: deadline });
    expect([status, decodeAnswer(body).image.width]).toEqual([200, 3]);
  }
});

test('without time left nothing begins', async () => {
  const { status, body } = await post(MESSAGE, { [DEADLINE_HEADER]: '0' });
  expect([status, decodeError(body).code]).toEqual([503, 'inference_unavailable']);
  expect(analyzed).toEqual([]);
});

test.each<[string, Readonly<Record<string, string | string[]>>]>([
  ['a time that is no number', { [DEADLINE_HEADER]: 'soon' }],
  ['no time at all', { [DEADLINE_HEADER]: '' }],
  ['a time before now', { [DEADLINE_HEADER]: '-5' }],
  ['a time without end', { [DEADLINE_HEADER]: 'Infinity' }],
  ['two times', { [DEADLINE_HEADER]: ['5', '6'] }],
])('%s is refused', async (_, headers) => {
  const { status, body } = await post(MESSAGE, headers);
  expect([status, codeOf(body)]).toEqual([400, 'invalid_request']);
  expect(analyzed).toEqual([]);
});

test('a body of another type is refused', async () => {
  const { status, body } = await post(MESSAGE, { 'content-type': 'image/jpeg' });
  expect([status, codeOf(body)]).toEqual([415, 'unsupported_media_type']);
});

test('a body that does not say its length is refused', async () => {
  const asked = httpRequest({
    ...{ host: '127.0.0.1', port, path: '/v1/analyze', method: 'POST' },
    headers: { 'content-type': WIRE_TYPE, 'transfer-encoding': 'chunked' },
  });
  asked.end(MESSAGE);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
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

test('who speaks another version is told which one is spoken here', async () => {
  const other = Buffer.from(MESSAGE);
  other[4] = 2;
  const { status, body } = await post(other);
  expect(status).toBe(400);
  expect(() => decodeError(body)).toThrow(WireVersionMismatch);
  expect(JSON.parse(body.toString())).toMatchObject({ code: 'wire_version', facts: { spoken: 1 } });
});

test('what comes behind a body is none of it', async () => {
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

test('a body that ends before its length reaches nobody, and the next one is read', async () => {
  const asked = httpRequest({
    ...{ host: '127.0.0.1', port, path: '/v1/analyze', method: 'POST' },
    headers: { 'content-type': WIRE_TYPE, 'content-length': String(MESSAGE.length) },
  });
  asked.on('error', () => undefined).write(MESSAGE.subarray(0, 5));
  const [received] = (await once(server, 'request')) as [IncomingMessage];
  const closed = new Promise((resolve) => received.once('close', resolve));
  asked.destroy();
  await closed;
  expect((await post(MESSAGE)).status).toBe(200);
  expect(analyzed).toHaveLength(1);
});

test('its status can be asked all the time, without a trace', async () => {
  const status = await fetch(`http://127.0.0.1:${port}/v1/status`);
  expect([status.status, await status.json()]).toMatchObject([200, { ready: true }]);
  await post(MESSAGE);
  // What is counted is counted when its connection is done with it: just after the answer.
  while (counted.length === 0) await new Promise((next) => setImmediate(next));
  expect(counted).toEqual(['/v1/analyze']);
});
