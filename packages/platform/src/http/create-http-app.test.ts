import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Router } from 'express';
import { createLogger } from '../logging/logger.ts';
import type { FinishedRequest } from './access-log.ts';
import { createHttpApp } from './create-http-app.ts';
import { HttpError } from './http-errors.ts';
import { HttpListener } from './http-listener.ts';
import { addLogFields } from './log-fields.ts';
import type { Problem } from './problem.ts';
import { LoopTurns } from '../resilience/loop-turns.ts';
import { readJsonBody } from './read-json-body.ts';
import { requestId } from './request-id.ts';
import { requestSignal } from './request-signal.ts';

class OutOfTea extends Error {}

const OUT_OF_TEA: Problem = {
  status: 503,
  code: 'out_of_tea',
  title: 'Out of tea',
  detail: 'There is no tea left.',
  facts: { cups: 0 },
  headers: { 'Retry-After': '7' },
};

let listener: HttpListener;
let base: string;
let lines: Record<string, unknown>[];
let finished: FinishedRequest[];
let started: number;
let aborted: Promise<unknown>;

beforeEach(async () => {
  lines = [];
  finished = [];
  started = 0;
  listener = await HttpListener.open({
    name: 'test server',
    host: '127.0.0.1',
    port: 0,
    portVariable: 'PORT',
    stopTimeoutMs: 500,
    handler: createHttpApp({
      logger: createLogger({
        level: 'info',
        destination: {
          write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
        },
      }),
      observer: {
        started: () => (started += 1),
        finished: (request) => void finished.push(request),
      },
      toProblem: (error) => (error instanceof OutOfTea ? OUT_OF_TEA : undefined),
      routes: createRoutes(),
    }),
  });
  base = `http://127.0.0.1:${listener.address.port}`;
});

afterEach(() => listener[Symbol.asyncDispose]());

function createRoutes(): Router {
  const router = Router();
  router.get('/cups/:id', (request, response) => {
    addLogFields(response, { shelf: 3 });
    response.json({ id: request.params.id, request_id: requestId(response) });
  });
  router.get('/tea', () => {
    throw new OutOfTea();
  });
  router.get('/bug', () => Promise.reject(new TypeError('secret inner detail')));
  router.get('/halfway', (_request, response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('begun');
    setTimeout(() => response.emit('give-up'), 20);
    return new Promise((_resolve, reject) => {
      response.once('give-up', () => reject(new Error('broke off')));
    });
  });
  router.get('/afterwards', (_request, response) => {
    response.end('complete');
    throw new Error('too late to matter');
  });
  router.get('/invalid', () => {
    const errors = [{ path: 'cups.0', message: 'is not a cup' }];
    throw new HttpError('invalid_request', 'The input is wrong.', { errors });
  });
  let noteAbort: (reason: unknown) => void = () => undefined;
  aborted = new Promise((resolve) => (noteAbort = resolve));
  router.get('/slow', async (_request, response) => {
    const signal = requestSignal(response);
    await once(signal, 'abort');
    noteAbort(signal.reason);
    signal.throwIfAborted();
  });
  router.post('/json', async (request, response) => {
    const limits = { maxBytes: 1000, timeoutMs: 3_600_000, turns: new LoopTurns() };
    const members = { paths: new Set<string>(), maxBytes: 0, digests: false };
    response.json((await readJsonBody(request, limits, members)).value);
  });
  return router;
}

/** Waits until the app has logged and counted `count` requests, because this happens shortly after the response. */
async function ended(count = 1): Promise<void> {
  while (finished.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('headers of every answer', () => {
  test('a valid request id of the caller is kept, in the header and in the body', async () => {
    const response = await fetch(`${base}/cups/4`, { headers: { 'X-Request-Id': 'abc_1.2-X' } });
    expect(response.headers.get('x-request-id')).toBe('abc_1.2-X');
    expect(await response.json()).toEqual({ id: '4', request_id: 'abc_1.2-X' });
  });

  test.each(['', 'has space', 'x'.repeat(129), 'a;b', 'ä'])(
    'the request id %j is replaced',
    async (id) => {
      const response = await fetch(`${base}/cups/4`, { headers: { 'X-Request-Id': id } });
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('any origin may read, without credentials; no header names the server', async () => {
    const response = await fetch(`${base}/nowhere`, { headers: { Origin: 'https://a.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'X-Request-Id, X-Operation-Id, Retry-After, ETag, Idempotency-Replayed, Content-Range, Content-Disposition',
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.has('x-powered-by')).toBe(false);
  });

  test('a preflight is answered on any path', async () => {
    const response = await fetch(`${base}/tea`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'X-API-Key, Content-Type, Idempotency-Key, X-Request-Id, If-None-Match, Range',
    );
    expect(response.headers.get('access-control-allow-methods')).toContain('DELETE');
  });
});

describe('errors', () => {
  async function problemAt(path: string, init?: RequestInit): Promise<Record<string, unknown>> {
    const response = await fetch(base + path, init);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const problem = (await response.json()) as Record<string, unknown>;
    expect(problem.status).toBe(response.status);
    expect(problem.request_id).toBe(response.headers.get('x-request-id'));
    return problem;
  }

  test("the application's own, with facts and headers", async () => {
    expect(await problemAt('/tea')).toEqual({
      type: 'about:blank',
      title: 'Out of tea',
      status: 503,
      detail: 'There is no tea left.',
      code: 'out_of_tea',
      cups: 0,
      request_id: expect.any(String),
    });
    expect((await fetch(`${base}/tea`)).headers.get('retry-after')).toBe('7');
  });

  test('the invalid parts of the input', async () => {
    const problem = await problemAt('/invalid');
    expect(problem.errors).toEqual([{ path: 'cups.0', message: 'is not a cup' }]);
  });

  test('an unexpected error is logged with its details, which the response omits', async () => {
    const problem = await problemAt('/bug');
    expect(problem).toMatchObject({ status: 500, code: 'internal_error' });
    expect(JSON.stringify(problem)).not.toContain('secret inner detail');
    const logged = lines.find((line) => line.level === 'error');
    expect(logged).toMatchObject({
      msg: 'request failed',
      request_id: problem.request_id,
      err: { message: 'secret inner detail', stack: expect.stringContaining('.test.ts') },
    });
  });

  test.each([
    ['/nowhere', {}, 404, 'not_found'],
    ['/cups/%ff', {}, 400, 'invalid_request'],
    ['/json', { method: 'POST', body: '{' }, 400, 'invalid_json'],
    ['/json', { method: 'POST', body: JSON.stringify('x'.repeat(1000)) }, 413, 'body_too_large'],
  ])('%s %j is %i %s', async (...[path, init, status, code]) => {
    const headers = { 'Content-Type': 'application/json' };
    expect(await problemAt(path, { ...init, headers })).toMatchObject({ status, code });
  });

  test('a client that is still sending gets the error response', async () => {
    const body = Buffer.alloc(20_000_000, '1');
    const headers = { 'Content-Type': 'application/json' };
    const problem = await problemAt('/json', { method: 'POST', body, headers });
    expect(problem).toMatchObject({ status: 413, code: 'body_too_large' });
    await ended();
    expect(finished[0]).toMatchObject({ route: '/json', status: 413 });
  });

  test('an error after the complete response is logged and changes nothing', async () => {
    const response = await fetch(`${base}/afterwards`);
    expect(await response.text()).toBe('complete');
    await ended();
    expect(finished[0]).toMatchObject({ status: 200 });
    expect(lines.some((line) => line.msg === 'request failed')).toBe(true);
  });

  test('an error after the headers were sent breaks the connection', async () => {
    const response = await fetch(`${base}/halfway`);
    await expect(response.text()).rejects.toThrow();
    await ended();
    expect(finished[0]).toMatchObject({ route: '/halfway', status: 500 });
    expect(lines.some((line) => line.msg === 'request failed')).toBe(true);
  });
});

describe('the text of a query', () => {
  test.each(['a=%ED%A0%80', 'a=%80', '%ff=1', 'a=%F0%9F%98'])('%s is refused', async (query) => {
    const response = await fetch(`${base}/cups/1?${query}`);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_request' }),
    ]);
  });

  test.each(['a=%F0%9F%98%80', 'a=100%', 'a=Zo%C3%AB', ''])('%s is accepted', async (query) => {
    expect((await fetch(`${base}/cups/1?${query}`)).status).toBe(200);
  });
});

describe('a client that disconnects', () => {
  test('aborts the work and is counted, but not as an error', async () => {
    const socket = connect(listener.address.port, '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    while (started === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.destroy();
    expect(await aborted).toMatchObject({ name: 'ClientDisconnected' });
    await ended();
    expect(finished[0]).toMatchObject({ route: '/slow', status: 499 });
    expect(lines.map((line) => line.level)).toEqual(['info']);
  });
});

describe('the access log', () => {
  test('has one line per request, with the route and neither path nor query', async () => {
    await (await fetch(`${base}/cups/cup-4711?image_url=https://secret.example/a.jpg`)).text();
    await ended();
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        request_id: expect.any(String),
        method: 'GET',
        route: '/cups/:id',
        status: 200,
        shelf: 3,
        duration_ms: expect.any(Number),
        bytes_in: expect.any(Number),
        bytes_out: expect.any(Number),
        msg: 'request',
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|4711/);
    expect(started).toBe(1);
  });

  test('counts the bytes of each request of a connection', async () => {
    const body = JSON.stringify('y'.repeat(900));
    for (const path of ['/json', '/cups/1']) {
      const post = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
      await (await fetch(base + path, path === '/json' ? post : {})).text();
    }
    await ended(2);
    const [large, small] = lines as { bytes_in: number; bytes_out: number }[];
    expect(large!.bytes_in).toBeGreaterThan(900);
    expect(large!.bytes_out).toBeGreaterThan(900);
    expect(small!.bytes_in).toBeLessThan(600);
    expect(small!.bytes_out).toBeLessThan(900);
  });

  test('unknown paths share one name, so that metrics stay small', async () => {
    await (await fetch(`${base}/nowhere/at/all`)).text();
    await ended();
    expect(finished[0]).toMatchObject({ route: 'unmatched', status: 404, refusal: 'not_found' });
  });
});

describe('requests that Node would answer itself', () => {
  async function answerTo(head: string, target = '/tea'): Promise<string> {
    const socket = connect(listener.address.port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
    return text(socket);
  }

  test('a request without Host is refused with a problem', async () => {
    const answer = await answerTo('X-Request-Id: hostless\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 .*X-Request-Id: hostless.*"code":"invalid_request"/s);
  });

  test.each(['Host: a\r\nHost: b\r\n', 'host: a\r\nX: y\r\nHOST: a\r\n'])(
    'a request with several Host headers is refused: %j',
    async (head) => {
      const answer = await answerTo(head);
      expect(answer).toMatch(
        /^HTTP\/1.1 400 .*"detail":"The request has more than one Host header/s,
      );
    },
  );

  test.each([
    '',
    ' a b',
    'a,b',
    'http://a',
    'a/b',
    'a@b',
    'a:port',
    `${'a.'.repeat(127)}b`,
    '[::1',
    'a?b',
  ])('a request whose Host names no host is refused: %j', async (host) => {
    const answer = await answerTo(`Host: ${host}\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 400 .*"detail":"The Host header is not valid/s);
  });

  test.each([
    'a',
    'a_b.example:8080',
    'A.example.',
    '192.0.2.1:80',
    '[2001:db8::1]:8080',
    `${'a.'.repeat(126)}b:65535`,
  ])('a Host may be %s', async (host) => {
    expect(await answerTo(`Host: ${host}\r\n`)).toContain('out_of_tea');
  });

  test.each([
    ['http://a.test/tea?milk=1', 'out_of_tea'],
    ['http://a.test', 'not_found'],
    ['tea://a.test?milk=1', 'not_found'],
    ['http://[::1/tea', '"detail":"The URL is not valid."'],
    ['http://a.test:99999/tea', '"detail":"The URL is not valid."'],
    ['http://%zz/tea', '"detail":"The URL is not valid."'],
  ])('a target may be a whole URL: %s', async (target, expected) => {
    const answer = await answerTo('Host: a\r\nX-Request-Id: whole\r\n', target);
    expect(answer).toContain(expected);
    expect(answer).toMatch(/X-Request-Id: whole.*Content-Type: application\/problem\+json/s);
  });

  test('an unknown expectation is ignored', async () => {
    expect(await answerTo('Host: a\r\nExpect: miracles\r\n')).toContain('out_of_tea');
  });
});
