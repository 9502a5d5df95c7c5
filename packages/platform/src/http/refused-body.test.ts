import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DrainLimits } from './drain-limits.ts';
import { HttpListener } from './http-listener.ts';

/** Limits so high that no test reaches them. */
const UNREACHED = { silenceMs: 3_600_000, totalMs: 3_600_000, maxBytes: 1e9 };
const MEBIBYTE = 1024 * 1024;

let listener: HttpListener;
/** For each request that has ended, whether its response was completely sent. */
let answered: boolean[];
let events: EventEmitter;

beforeEach(() => {
  answered = [];
  events = new EventEmitter();
});

afterEach(() => listener[Symbol.asyncDispose]());

async function listen(limits: Partial<DrainLimits> = {}): Promise<void> {
  listener = await HttpListener.open({
    name: 'test server',
    host: '127.0.0.1',
    port: 0,
    portVariable: 'PORT',
    stopTimeoutMs: 500,
    drain: { ...UNREACHED, ...limits },
    handler: (_request, response) => {
      response.once('close', () => {
        answered.push(response.writableFinished);
        events.emit('answer');
      });
      response.writeHead(413, { 'Content-Length': 9 }).end('too large');
    },
  });
}

function head(connection: string, length: number | 'chunked'): string {
  const framing = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return `POST / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n${framing}\r\n\r\n`;
}

/** Runs a client that reads nothing before it has sent its whole body, as many HTTP libraries do. */
async function sendAll(connection: string, framing: 'chunked' | 'length'): Promise<string> {
  const body = Buffer.alloc(4 * MEBIBYTE);
  const socket = connect(listener.address.port, '127.0.0.1');
  socket.pause().write(head(connection, framing === 'chunked' ? framing : body.length));
  // After the delay, the server has responded, but the client has not sent most of the body.
  await delay(2);
  if (framing === 'chunked') socket.write(`${body.length.toString(16)}\r\n`);
  await new Promise((sent) => socket.write(body, sent));
  if (connection === 'close') return text(socket);
  const [answer] = (await once(socket.resume(), 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}

test.each([
  ['close', 'length'],
  ['keep-alive', 'length'],
  ['close', 'chunked'],
  ['keep-alive', 'chunked'],
] as const)(
  'a client that sends its whole body first gets its response each time (%s, %s)',
  async (connection, framing) => {
    await listen();
    for (let round = 0; round < 20; round++) {
      const answer = await sendAll(connection, framing);
      expect(answer).toMatch(/^HTTP\/1.1 413 [^]*\r\n\r\ntoo large$/);
    }
    expect(answered).not.toContain(false);
  },
);

test('a client that reads gets the whole response before it has sent its body, and may disconnect', async () => {
  await listen();
  const socket = connect(listener.address.port, '127.0.0.1');
  socket.write(head('close', 1_000_000));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('too large');
  socket.destroy();
  if (answered.length === 0) await once(events, 'answer');
  expect(answered).toEqual([true]);
});

test('a kept connection is used for the next request', async () => {
  await listen();
  const socket = connect(listener.address.port, '127.0.0.1');
  for (let round = 0; round < 2; round++) {
    socket.write(`${head('keep-alive', 3)}abc`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('too large');
  }
  socket.destroy();
});

test.each<[string, Partial<DrainLimits>, number]>([
  ['that sends nothing more', { silenceMs: 50 }, 0],
  ['that sends for too long', { totalMs: 50 }, 1],
  ['that sends too much', { maxBytes: MEBIBYTE }, MEBIBYTE],
])('a client is disconnected %s', async (...[, limit, bytes]) => {
  await listen(limit);
  const socket = connect(listener.address.port, '127.0.0.1');
  socket.on('error', () => undefined).write(head('keep-alive', 1e9));
  const chunk = Buffer.alloc(bytes);
  const sending = setInterval(() => socket.write(chunk), 10);
  socket.resume();
  // The last writes of the client may fail, because the server closes the connection.
  await new Promise((closed) => socket.once('close', closed));
  clearInterval(sending);
});

test('the rest of a chunked body is dropped, and no request behind it is answered', async () => {
  await listen();
  const socket = connect(listener.address.port, '127.0.0.1');
  const start = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n';
  socket.write(start);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.write(`0\r\n\r\n${start}`);
  const answers = answer.toString() + (await text(socket));
  expect(answers).toMatch(/^HTTP[^]*\r\nConnection: close\r\n[^]*\r\n\r\ntoo large$/);
});
