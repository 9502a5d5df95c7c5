import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import { defineContract, jsonResponse } from '@sightline/contracts/define-contract';
import { createHttpApp } from '@sightline/platform/http/create-http-app';
import { HttpListener } from '@sightline/platform/http/http-listener';
import { createLogger } from '@sightline/platform/logging/logger';
import { z } from 'zod';
import type { ApiContext } from '../api-context.ts';
import { ROUTES } from '../routes.ts';
import { createRouter } from './create-router.ts';
import { defineRoute } from './define-route.ts';
import { toProblem } from './to-problem.ts';

const THINGS = defineContract({
  method: 'POST',
  path: '/things/{id}',
  right: 'none',
  tag: 'Things',
  summary: 'Echo',
  request: {
    path: z.object({ id: z.coerce.number().int() }),
    query: z.object({ colour: z.enum(['red', 'blue']).optional() }),
    body: {
      maxBytes: { 'application/json': 1000 },
      fields: z.object({ name: z.string(), tags: z.array(z.string()).optional() }),
      files: z.object({}),
      exactlyOneOf: [],
    },
  },
  responses: {
    201: jsonResponse(
      'What came.',
      z.object({ id: z.int(), colour: z.string().nullable(), name: z.string() }),
    ),
  },
  problems: [],
});

const ROUTE = defineRoute({
  ...THINGS,
  handler: (_context, { path, query, body }) => ({
    status: 201,
    body: { id: path.id, colour: query.colour ?? null, name: body.fields.name },
    headers: { Location: '/things/1' },
  }),
});

let listener: HttpListener;
let base: string;

beforeAll(async () => {
  const context = { imageLimits: { maxBytes: 1 } } as ApiContext;
  listener = await HttpListener.open({
    name: 'test server',
    host: '127.0.0.1',
    port: 0,
    portVariable: 'PORT',
    handler: createHttpApp({
      logger: createLogger({ level: 'silent' }),
      observer: { started: () => undefined, finished: () => undefined },
      toProblem,
      routes: createRouter([ROUTE], context),
    }),
  });
  base = `http://127.0.0.1:${listener.address.port}`;
});

afterAll(() => listener[Symbol.asyncDispose]());

function post(path: string, body: unknown, type = 'application/json'): Promise<Response> {
  return fetch(base + path, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('the router', () => {
  test('hands over what is valid and drops what the contract does not know', async () => {
    const response = await post('/things/7?colour=red&more=1', { name: 'a', unknown: true });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe('/things/1');
    expect(await response.json()).toEqual({ id: 7, colour: 'red', name: 'a' });
  });

  test.each([
    { wrong: 'id', path: '/things/seven', body: { name: 'a' } },
    { wrong: 'colour', path: '/things/7?colour=green', body: { name: 'a' } },
    { wrong: 'colour', path: '/things/7?colour=red&colour=blue', body: { name: 'a' } },
    { wrong: 'name', path: '/things/7', body: {} },
    { wrong: 'tags.1', path: '/things/7', body: { name: 'a', tags: ['b', 3] } },
    { wrong: '', path: '/things/7', body: [] },
  ])('names what is wrong: $path $body', async ({ wrong, path, body }) => {
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

  test('lists the methods of a path to those that use another', async () => {
    const response = await fetch(`${base}/things/7`, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  test('has nothing at other paths', async () => {
    const response = await fetch(`${base}/THINGS/7`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });
});

test('every contract has its route', () => {
  const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
  expect(ROUTES.map(name).sort()).toEqual(Object.values(API_CONTRACTS).map(name).sort());
});
