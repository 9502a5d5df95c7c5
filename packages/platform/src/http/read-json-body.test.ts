import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { BodyMemory } from './body-memory.ts';
import { HttpError } from './http-errors.ts';
import { LoopTurns } from '../resilience/loop-turns.ts';
import { readJsonBody } from './read-json-body.ts';

const HOLDER = { environment: '1', caller: 'key-1' };
const NO_TEXTS = { paths: new Set<string>(), maxBytes: 0, digests: false };
const OTHER = { environment: '2', caller: 'key-2' };

let server: Server;
let port: number;
let outcome: Promise<unknown>;
let memory: BodyMemory;
/** The timeout for a body, in ms. Only the test of slow bodies sets a short timeout. */
let timeoutMs: number;
let maxBytes: number;
const turns = new LoopTurns();

beforeEach(async () => {
  timeoutMs = 3_600_000;
  maxBytes = 1000;
  let settle: (value: unknown) => void = () => undefined;
  outcome = new Promise((resolve) => (settle = resolve));
  memory = new BodyMemory(5000);
  server = createServer((request, response) => {
    const limits = { maxBytes, timeoutMs, memory: memory.open(HOLDER), turns };
    readJsonBody(request, limits, NO_TEXTS)
      .then(({ value }) => value)
      .catch((error: unknown) => error)
      .then((result) => {
        settle(result);
        response.end();
        request.resume();
      }, settle);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The accepted content codings, each with an encoder. */
const CODINGS = [
  ['gzip', 'gzip', gzipSync],
  ['deflate', 'zlib', deflateSync],
  ['deflate', 'plain deflate', deflateRawSync],
] as const;

type Body = string | Uint8Array<ArrayBuffer>;

async function send(body: Body, headers: Record<string, string> = {}): Promise<unknown> {
  await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  return outcome;
}

async function codeOf(body: Body, headers?: Record<string, string>): Promise<string> {
  const result = await send(body, headers);
  if (!(result instanceof HttpError)) throw new Error(`accepted: ${JSON.stringify(result)}`);
  return result.code;
}

describe('what is accepted', () => {
  test.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/merge-patch+json',
  ])('%s', async (type) => {
    expect(await send('{"a": [1, "ä"]}', { 'Content-Type': type })).toEqual({ a: [1, 'ä'] });
  });

  test('a byte order mark', async () => {
    expect(await send('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  test.each(CODINGS)('%s in the format %s', async (coding, _format, encode) => {
    for (const level of [0, 1, 9]) {
      const body = encode('{"a":1}', { level });
      expect(await send(body, { 'Content-Encoding': coding })).toEqual({ a: 1 });
    }
  });

  test('escaped characters beyond the basic plane', async () => {
    expect(await send('["\\ud83d\\ude00", "\\\\ud83d", {"\\uD83D\\uDE00": 1}]')).toEqual([
      '😀',
      '\\ud83d',
      { '😀': 1 },
    ]);
  });

  test('a large document, in a turn of its own', async () => {
    maxBytes = 100_000;
    memory = new BodyMemory(1_000_000);
    expect(await send(JSON.stringify('x'.repeat(50_000)))).toHaveLength(50_000);
  });

  test('exactly the limit', async () => {
    expect(await send(JSON.stringify('x'.repeat(998)))).toHaveLength(998);
  });
});

describe('what is refused', () => {
  test.each([
    ['text/plain', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['application/json; charset=iso-8859-1', 'unsupported_media_type'],
    ['application/jsonp', 'unsupported_media_type'],
  ])('the type %s', async (type, code) => {
    expect(await codeOf('{}', { 'Content-Type': type })).toBe(code);
  });

  test.each(['', '{', '{"a":1}x', 'undefined', "{'a':1}", '\u0000'])(
    'the text %j',
    async (text) => {
      expect(await codeOf(text)).toBe('invalid_json');
    },
  );

  test.each(['"\\ud83d"', '["a\\uDE00b"]', '{"a": {"\\udfff": 1}}', '"\\ude00\\ud83d"'])(
    'the unpaired surrogate in %s',
    async (text) => {
      expect(await codeOf(text)).toBe('invalid_json');
    },
  );

  test('bytes that are not UTF-8', async () => {
    expect(await codeOf(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toBe('invalid_json');
  });

  test.each(['br', 'gzip, deflate', 'constructor'])('the content encoding %s', async (coding) => {
    expect(await send('{}', { 'Content-Encoding': coding })).toMatchObject({
      code: 'unsupported_media_type',
      headers: { 'Accept-Encoding': 'gzip, deflate' },
    });
  });

  describe.each(CODINGS)('%s in the format %s', (coding, _format, encode) => {
    const headers = { 'Content-Encoding': coding };

    test.each([
      ['is not encoded at all', Buffer.from('{"a":1}')],
      ['is cut off', encode('{"a":1}').subarray(0, -9)],
      ['is empty', Buffer.alloc(0)],
    ])('that %s', async (_what, bytes) => {
      expect(await codeOf(new Uint8Array(bytes), headers)).toBe('invalid_json');
    });

    test('that exceeds the limit when it is decoded', async () => {
      const bomb = encode(JSON.stringify('x'.repeat(200_000)));
      expect(bomb.length).toBeLessThan(1000);
      expect(await codeOf(bomb, headers)).toBe('body_too_large');
    });

    test('that exceeds the memory when it is decoded', async () => {
      memory.open(OTHER).add(4500);
      expect(await codeOf(encode(`"${'x'.repeat(900)}"`), headers)).toBe('overloaded');
    });
  });

  test('an announced length above the limit', async () => {
    expect(await codeOf(JSON.stringify('x'.repeat(999)))).toBe('body_too_large');
  });

  test('an unannounced length above the limit', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    socket.write(`400\r\n"${'x'.repeat(1023)}\r\n`);
    expect(await outcome).toMatchObject({ code: 'body_too_large' });
    socket.destroy();
  });

  test('a body that exceeds the memory for all bodies', async () => {
    memory.open(OTHER).add(4500);
    expect(await codeOf(`"${'x'.repeat(900)}"`)).toBe('overloaded');
  });

  test('a body that does not end in time', async () => {
    timeoutMs = 50;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a',
    );
    expect(await outcome).toMatchObject({ code: 'request_timeout' });
    socket.destroy();
  });
});

test.each([['identity', 'plain', (text: string) => Buffer.from(text)] as const, ...CODINGS])(
  'a client that disconnects in the middle is distinguished from an invalid body: %s, %s',
  async (coding, _format, encode) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: ${coding}\r\nContent-Length: 99\r\n\r\n`,
    );
    socket.write(encode('{"a":1}').subarray(0, 5), () => setTimeout(() => socket.destroy(), 20));
    expect(await outcome).toMatchObject({ name: 'ClientDisconnected' });
  },
);

test.each([
  '{"__proto__":{"admin":true},"a":{"__proto__":1,"b":2}}',
  '{"\\u005f_proto__":1,"a":{"b":2}}',
])('keys that would reach a prototype are dropped: %s', async (text) => {
  const body = (await send(text)) as object;
  expect(Object.keys(body)).toEqual(['a']);
  expect(body).toEqual({ a: { b: 2 } });
});

test('many unclosed brackets do not crash the process', async () => {
  const result = await send('['.repeat(999) + '1');
  expect(result).toMatchObject({ code: 'invalid_json' });
});
