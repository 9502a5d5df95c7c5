import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { HttpListener } from './http-listener.ts';
import { pipeBody } from './pipe-body.ts';

const LIMITS = { maxBytes: 1000, timeoutMs: 3_600_000 };
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n';

let listener: HttpListener;

afterEach(() => listener[Symbol.asyncDispose]());

async function open(handler: RequestListener): Promise<Socket> {
  listener = await HttpListener.open({
    name: 'test server',
    host: '127.0.0.1',
    port: 0,
    portVariable: 'PORT',
    handler,
  });
  return connect(listener.address.port, '127.0.0.1').setEncoding('latin1');
}

async function receivesUntil(socket: Socket, end: string): Promise<string> {
  let received = '';
  while (!received.includes(end)) received += ((await once(socket, 'data')) as [string])[0];
  return received;
}

/** Answers with the number of the body's bytes, or with 413 if the body is refused by its announced length. */
const count: RequestListener = (request, response) => {
  let bytes = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done();
    },
  });
  pipeBody(request, sink, LIMITS).then(
    () => response.end(`read ${bytes}`),
    () => response.writeHead(413).end('refused'),
  );
};

test('a client is asked for its body when a handler reads it, and keeps its connection', async () => {
  const handled: (() => void)[] = [];
  const socket = await open((request, response) => {
    handled.push(() => count(request, response));
  });
  for (const framing of ['Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n']) {
    const before = socket.bytesRead;
    socket.write(`${HEAD}${framing}\r\n`);
    const asked = receivesUntil(socket, '\r\n\r\n');
    while (handled.length === 0) await new Promise(setImmediate);
    expect(socket.bytesRead).toBe(before);
    handled.pop()!();
    expect(await asked).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(framing.startsWith('C') ? 'abcde' : '5\r\nabcde\r\n0\r\n\r\n');
    expect(await receivesUntil(socket, 'read 5')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  }
  socket.destroy();
});

test('a client whose request is refused by its headers is not asked, and its connection closes', async () => {
  const socket = await open(count);
  socket.write(`${HEAD}Content-Length: 1001\r\n\r\n`);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n.*refused/s);
  expect(answer).not.toContain('100 Continue');
});

test('a client that does not wait gets its response, too', async () => {
  const socket = await open(count);
  socket.write(`${HEAD}Content-Length: 5\r\n\r\nabcde`);
  expect(await receivesUntil(socket, 'read 5')).toContain('HTTP/1.1 200 OK');
  socket.destroy();
});

test('a client without a body keeps its connection', async () => {
  const socket = await open((_request, response) => void response.end('done'));
  for (let i = 0; i < 2; i++) {
    socket.write(`${HEAD}Content-Length: 0\r\n\r\n`);
    expect(await receivesUntil(socket, 'done')).not.toContain('Connection: close');
  }
  socket.destroy();
});
