import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineContract, emptyResponse, jsonResponse } from '@sightline/contracts/define-contract';
import { Unauthenticated } from '@sightline/core/access/access-errors';
import type { Caller } from '@sightline/core/access/caller';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import { createHttpApp } from '@sightline/platform/http/create-http-app';
import { TrustedProxies } from '@sightline/platform/http/client-address';
import { HttpListener } from '@sightline/platform/http/http-listener';
import { createLogger } from '@sightline/platform/logging/logger';
import { z } from 'zod';
import { Authorizer, type AuthorizerDeps } from '../auth/authorizer.ts';
import { SessionCookie } from '../auth/session-cookie.ts';
import type { ApiContext } from '../context/api-context.ts';
import { createRouter } from './create-router.ts';
import { defineRoute } from './define-route.ts';
import { ItemStream } from './item-stream.ts';
import { toProblem } from './to-problem.ts';

const THINGS = defineContract({
  method: 'POST',
  path: '/things/{id}',
  right: 'none',
  tag: 'Discovery',
  summary: 'Echo',
  request: {
    path: z.object({ id: z.coerce.number().int() }),
    query: z.object({ color: z.enum(['red', 'blue']).optional() }),
    body: {
      maxBytes: { 'application/json': 1000 },
      fields: z.object({ name: z.string(), tags: z.array(z.string()).optional() }),
      files: z.object({}),
      imageTexts: [],
      exactlyOneOf: [],
    },
  },
  responses: {
    201: jsonResponse(
      'What came.',
      z.object({ id: z.int(), color: z.string().nullable(), name: z.string() }),
    ),
  },
  problems: [],
});

const ROUTE = defineRoute(THINGS, {
  handler: (_context, { path, query, body }) => ({
    status: 201,
    body: { id: path.id, color: query.color ?? null, name: body.fields.name },
    headers: { Location: '/things/1' },
  }),
});

const LOCKED = defineRoute(defineContract({ ...THINGS, path: '/locked/{id}', right: 'full' }), {
  handler: (_context, { path, body, caller, scope }) => ({
    status: 201,
    body: {
      id: path.id,
      color: String(caller.keyId),
      name: `${body.fields.name} ${scope.environmentId}`,
    },
  }),
});

const Numbers = z.object({
  items: z.array(z.int()),
  next_cursor: z.string().nullable(),
  has_more: z.boolean(),
});

let numbersRead = 0;

async function* countTo(last: number): AsyncGenerator<number[]> {
  await Promise.resolve();
  for (let number = 1; number <= last; number++) {
    numbersRead = number;
    yield [number];
    if (number === 5) throw new TypeError('five is too many');
  }
}

const NUMBERS = defineRoute(
  defineContract({
    method: 'GET',
    path: '/numbers/{last}',
    right: 'read',
    tag: 'Discovery',
    summary: 'Count',
    request: { path: z.object({ last: z.coerce.number().int() }) },
    responses: { 200: jsonResponse('Numbers.', Numbers) },
    problems: [],
  }),
  {
    handler: (_context, { path }) => ({
      status: 200,
      body: new ItemStream(countTo(path.last)),
    }),
  },
);

let canceled = 0;

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      controller.enqueue(new Uint8Array(65_536));
    },
    cancel() {
      canceled++;
    },
  });
}

const BYTES = defineRoute(
  defineContract({
    method: 'GET',
    path: '/bytes/{kind}.jpg',
    right: 'none',
    tag: 'Discovery',
    summary: 'Bytes',
    request: { path: z.object({ kind: z.string() }) },
    responses: {
      200: { description: 'Bytes.', mediaType: 'image/jpeg', schema: z.file() },
      204: emptyResponse('None.'),
    },
    problems: [],
  }),
  {
    handler: (_context, { path }) => {
      if (path.kind === 'none') return { status: 204, body: undefined };
      const failing = new ReadableStream<Uint8Array>({
        pull: () => Promise.reject(new TypeError('the disk is broken')),
      });
      const headers = { 'Content-Length': '10', ETag: '"a"' };
      if (path.kind === 'broken') return { status: 200, body: failing, headers };
      return { status: 200, body: endless() };
    },
  },
);

/** A request may match several of these paths. Each route answers with its own path. */
const PLACES = (['/places/{name}', '/places/here', '/places/{name}.txt'] as const).map((path) =>
  defineRoute(
    defineContract({
      method: 'GET',
      path,
      right: 'none',
      tag: 'Discovery',
      summary: 'Say which path answers',
      request: {},
      responses: { 200: jsonResponse('The path.', z.string()) },
      problems: [],
    }),
    { handler: () => ({ status: 200, body: path }) },
  ),
);

/** The text of a key is the name of its right. */
const keys: AuthorizerDeps['keys'] = {
  authenticate: (text) => {
    if (text !== 'full' && text !== 'read') return Promise.reject(new Unauthenticated());
    const caller: Caller = {
      keyId: 7,
      accountId: null,
      environmentId: 3,
      countedOwnerId: null,
      right: text,
      isAdmin: false,
    };
    return Promise.resolve(caller);
  },
};
const authorizer = new Authorizer({
  keys,
  sessions: { authenticate: () => Promise.reject(new Unauthenticated()) },
  cookie: new SessionCookie(false),
  publicOrigin: null,
  proxies: new TrustedProxies([]),
});

let listener: HttpListener;
let base: string;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  const context = {
    imageLimits: { maxBytes: 1 },
    bodies: { memory: new BodyMemory(1024 ** 2) },
    authorizer,
    maxRequests: 100,
    systemSettings: { all: () => Promise.resolve(new Map()) },
  } as unknown as ApiContext;
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
      observer: { started: () => undefined, finished: () => undefined },
      toProblem,
      routes: createRouter([ROUTE, LOCKED, NUMBERS, BYTES, ...PLACES], context),
    }),
  });
  base = `http://127.0.0.1:${listener.address.port}`;
});

afterAll(() => listener[Symbol.asyncDispose]());

function post(
  path: string,
  body: unknown,
  headers: string | Record<string, string> = 'application/json',
): Promise<Response> {
  return fetch(base + path, {
    method: 'POST',
    headers: typeof headers === 'string' ? { 'Content-Type': headers } : headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

test('caches store only responses that are the same for all callers', async () => {
  const body = { name: 'a' };
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': 'full' };
  const responses = [
    await post('/locked/7', body, headers),
    await post('/locked/7', body),
    await post('/nowhere', body),
    await post('/things/7', body),
    await fetch(`${base}/places/here`),
  ];
  const seen = responses.map((response) => [
    response.status,
    response.headers.get('Cache-Control'),
  ]);
  expect(seen).toEqual([
    [201, 'no-store'],
    [401, 'no-store'],
    [404, 'no-store'],
    [201, null],
    [200, null],
  ]);
});

describe('the router', () => {
  test('passes valid members on and drops those that are not in the contract', async () => {
    const response = await post('/things/7?color=red&more=1', { name: 'a', unknown: true });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe('/things/1');
    expect(await response.json()).toEqual({ id: 7, color: 'red', name: 'a' });
  });

  test.each([
    { wrong: 'id', path: '/things/seven', body: { name: 'a' } },
    { wrong: 'color', path: '/things/7?color=green', body: { name: 'a' } },
    { wrong: 'color', path: '/things/7?color=red&color=blue', body: { name: 'a' } },
    { wrong: 'name', path: '/things/7', body: {} },
    { wrong: 'tags.1', path: '/things/7', body: { name: 'a', tags: ['b', 3] } },
    { wrong: '', path: '/things/7', body: [] },
  ])('names the invalid member: $path $body', async ({ wrong, path, body }) => {
    const response = await post(path, body);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: wrong, message: expect.any(String) }],
    });
  });

  const JSON_TYPE = 'application/json';
  const FORM_TYPE = 'multipart/form-data; boundary=b';

  test.each([
    { body: '{', type: JSON_TYPE, problem: { status: 400, code: 'invalid_json' } },
    { body: 'a=1', type: 'text/plain', problem: { status: 415, code: 'unsupported_media_type' } },
    { body: '--b--', type: FORM_TYPE, problem: { status: 415, code: 'unsupported_media_type' } },
    {
      body: `"${'x'.repeat(1000)}"`,
      type: JSON_TYPE,
      problem: { status: 413, code: 'body_too_large' },
    },
  ])('refuses a body: $problem.code', async ({ body, type, problem }) => {
    const response = await post('/things/7', body, type);
    expect(response.status).toBe(problem.status);
    expect(await response.json()).toMatchObject(problem);
  });

  test('lists the methods of a path if the request has another', async () => {
    const response = await fetch(`${base}/things/7`, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  test.each([
    ['/places/here', '/places/here'],
    ['/places/there', '/places/{name}'],
    ['/places/there.txt', '/places/{name}.txt'],
  ])('serves %s by %s, for each order of the routes', async (path, answering) => {
    expect(await (await fetch(base + path)).json()).toBe(answering);
  });

  test('answers 404 at other paths', async () => {
    const response = await fetch(`${base}/THINGS/7`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });
});

describe('a route that needs a key', () => {
  const JSON_BODY = { 'Content-Type': 'application/json' };

  async function refusal(headers: Record<string, string>) {
    // The body is also invalid, but the service does not read the body of a caller without the right.
    const response = await post('/locked/7', '{', { ...JSON_BODY, ...headers });
    return { response, problem: (await response.json()) as Record<string, unknown> };
  }

  test.each<Record<string, string>>([
    {},
    { 'X-API-Key': '' },
    { 'X-API-Key': 'wrong' },
    { Authorization: 'Bearer full' },
  ])('is 401 with %j', async (headers) => {
    const { response, problem } = await refusal(headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('X-API-Key');
    expect(problem).toMatchObject({ code: 'unauthenticated' });
  });

  test('is 403 with one that allows less', async () => {
    const { response, problem } = await refusal({ 'X-API-Key': 'read' });
    expect(response.status).toBe(403);
    expect(problem).toMatchObject({ code: 'forbidden' });
  });

  test('passes the caller, but not the key, to handler and log', async () => {
    lines.length = 0;
    const headers = { ...JSON_BODY, 'X-API-Key': 'full', 'X-Request-Id': 'my-request' };
    const response = await post('/locked/7', { name: 'a' }, headers);
    expect(await response.json()).toEqual({ id: 7, color: '7', name: 'a 3' });
    const logged = () => lines.find((line) => line.request_id === 'my-request');
    while (logged() === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(logged()).toMatchObject({ key_id: 7, environment_id: 3, status: 201 });
    expect(JSON.stringify(lines)).not.toContain('"full"');
  });
});

describe('what is streamed', () => {
  const KEY = { headers: { 'X-API-Key': 'read' } };

  test.each([
    [0, '{"items":[],"next_cursor":null,"has_more":false}'],
    [3, '{"items":[1,2,3],"next_cursor":null,"has_more":false}'],
  ])('is a list of %i items', async (last, text) => {
    const response = await fetch(`${base}/numbers/${last}`, KEY);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.text()).toBe(text);
  });

  test('is not read for a HEAD', async () => {
    numbersRead = 0;
    canceled = 0;
    expect((await fetch(`${base}/numbers/3`, { ...KEY, method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${base}/bytes/endless.jpg`, { method: 'HEAD' })).status).toBe(200);
    expect([numbersRead, canceled]).toEqual([0, 1]);
  });

  test('is cut off where it fails', async () => {
    const whole = fetch(`${base}/numbers/9`, KEY).then((response) => response.text());
    await expect(whole).rejects.toThrow();
    const failure = lines.find(({ level }) => level === 'error');
    expect(failure).toMatchObject({ err: { message: 'five is too many' } });
  });

  test('is a problem like others if it fails at once', async () => {
    const response = await fetch(`${base}/bytes/broken.jpg`);
    expect(response.status).toBe(500);
    expect(response.headers.has('etag')).toBe(false);
    expect(await response.json()).toMatchObject({ code: 'internal_error' });
  });

  test('ends when the client disconnects', async () => {
    canceled = 0;
    const going = new AbortController();
    const { body } = await fetch(`${base}/bytes/endless.jpg`, { signal: going.signal });
    await body!.getReader().read();
    going.abort();
    while (canceled === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test('may be nothing at all', async () => {
    const response = await fetch(`${base}/bytes/none.jpg`);
    expect(response.status).toBe(204);
    expect(response.headers.has('content-type')).toBe(false);
  });
});
