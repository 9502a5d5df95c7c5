import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpListener } from './http-listener.ts';

let listener: HttpListener;

beforeAll(async () => {
  listener = await HttpListener.open({
    name: 'API',
    host: '127.0.0.1',
    port: 0,
    portVariable: 'SIGHTLINE_PORT',
    handler: (request, response) => {
      response.setHeader('X-Request-Id', 'known');
      // `/` responds at once, `/begun` sends only a part of its response, and other paths never respond.
      if (request.url === '/') response.end('ok');
      if (request.url === '/begun') response.write('begun');
      request.resume();
    },
  });
});

afterAll(() => listener[Symbol.asyncDispose]());

/** Sends bytes and returns all received bytes when the connection is closed. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect(listener.address.port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

function problemIn(answer: string): { id: string | undefined; body: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toContain('Content-Type: application/problem+json');
  expect(head).toContain(`Content-Length: ${body.length}`);
  return { id: /X-Request-Id: (\S+)/.exec(head)?.[1], body: JSON.parse(body) };
}

const BROKEN_BODY = 'Host: a\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n';

describe('invalid HTTP', () => {
  test.each([
    { what: 'a line that is no request', bytes: 'NONSENSE\r\n\r\n', status: 400 },
    {
      what: 'a head that is too large',
      bytes: `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      status: 431,
    },
  ])('$what is answered with a problem', async ({ bytes, status }) => {
    const answer = await answerTo(bytes);
    expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    const { id, body } = problemIn(answer);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(body).toMatchObject({ status, request_id: id, detail: expect.any(String) });
  });

  test('an invalid body is answered under the id of its request', async () => {
    const answer = await answerTo(`POST /waits HTTP/1.1\r\n${BROKEN_BODY}`);
    expect(problemIn(answer)).toMatchObject({ id: 'known', body: { code: 'invalid_request' } });
  });

  test('nothing is written into a response that has begun', async () => {
    const answer = await answerTo(`POST /begun HTTP/1.1\r\n${BROKEN_BODY}`);
    expect(answer).toMatch(/^HTTP\/1.1 200 OK/);
    expect(answer).not.toContain('problem');
  });

  test('malformed bytes after a response get a response of their own', async () => {
    const socket = connect(listener.address.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1.1 200 OK/);
    socket.write('NONSENSE\r\n\r\n');
    const { id, body } = problemIn(await text(socket));
    expect(id).not.toBe('known');
    expect(body).toMatchObject({ code: 'invalid_request', request_id: id });
  });
});
