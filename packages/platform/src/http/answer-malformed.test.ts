import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpListener } from './http-listener.ts';
import { USUAL_HEADERS } from './usual-headers.ts';

const GOOD = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const events = new EventEmitter();

let listener: HttpListener;

beforeAll(async () => {
  listener = await HttpListener.open({
    name: 'API',
    host: '127.0.0.1',
    port: 0,
    portVariable: 'SIGHTLINE_PORT',
    handler: (request, response) => {
      response.setHeader('X-Request-Id', 'known');
      // `/` responds at once, `/begun` sends only a part of its response, `/later` lets the test
      // respond, and other paths never respond.
      if (request.url === '/') response.end('ok');
      if (request.url === '/begun') response.write('begun');
      if (request.url === '/later') events.emit('later', response);
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

  test.each([
    ['garbage', 'NONSENSE\r\n\r\n', 'invalid_request', 400],
    ['a CONNECT request', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'method_not_allowed', 405],
  ])(
    '%s after good requests of the same packet costs them no response',
    async (_, ...[bad, code, status]) => {
      const answer = await answerTo(`${GOOD.repeat(3)}${bad}${GOOD}`);
      const [first, second, third, refusal, ...more] = answer.split(/(?=HTTP\/1\.1 )/);
      for (const good of [first, second, third]) expect(good).toMatch(/^HTTP\/1.1 200 OK[^]*ok/);
      expect(more).toEqual([]);
      expect(refusal).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(problemIn(refusal!).body).toMatchObject({ code, status });
    },
  );

  test('garbage behind a request that is being answered waits for the response', async () => {
    const socket = connect(listener.address.port, '127.0.0.1');
    const received = text(socket);
    const arrived = once(events, 'later') as Promise<[ServerResponse]>;
    socket.write('GET /later HTTP/1.1\r\nHost: a\r\n\r\nNONSENSE\r\n\r\n');
    const [response] = await arrived;
    await new Promise((resolve) => setImmediate(resolve));
    // The rest is larger than the buffers of the connection.
    const rest = 'x'.repeat(8 * 1024 ** 2);
    response.write(rest);
    response.end();
    const [first, refusal] = (await received).split(/(?=HTTP\/1\.1 )/);
    expect(first).toContain('200 OK');
    expect(first!.length).toBeGreaterThan(rest.length);
    expect(refusal).toMatch(/^HTTP\/1.1 400 /);
  });

  test('a large response in front of a CONNECT request is sent as fast as the client reads', async () => {
    const socket = connect(listener.address.port, '127.0.0.1');
    const arrived = once(events, 'later') as Promise<[ServerResponse]>;
    socket
      .pause()
      .write('GET /later HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    const [response] = await arrived;
    const piece = 'x'.repeat(1024 ** 2);
    let pieces = 0;
    while (response.write(piece)) pieces++;
    const received = text(socket.resume());
    await once(response, 'drain');
    response.end();
    const [first, refusal] = (await received).split(/(?=HTTP\/1\.1 )/);
    expect(first!.length).toBeGreaterThan((pieces + 1) * piece.length);
    expect(refusal).toMatch(/^HTTP\/1.1 405 /);
  });

  test('CONNECT is answered with the methods that exist', async () => {
    const answer = await answerTo('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 405 Method Not Allowed/);
    expect(answer).toContain('\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n');
    expect(problemIn(answer).body).toMatchObject({ code: 'method_not_allowed' });
  });

  test.each(['NONSENSE\r\n\r\n', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'])(
    'a refusal of %j has the usual headers',
    async (bytes) => {
      const answer = await answerTo(bytes);
      for (const [name, value] of Object.entries(USUAL_HEADERS)) {
        expect(answer).toContain(`\r\n${name}: ${value}\r\n`);
      }
      expect(answer).toMatch(/\r\nDate: \w{3}, /);
    },
  );
});
