import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import express, { type ErrorRequestHandler } from 'express';
import type { Route } from './define-route.ts';
import { sendAnswer } from './send-answer.ts';

const MIB = 2 ** 20;
/** More than the buffers of two sockets hold. */
const LARGE = 32 * MIB;
const HOLDER = { environment: 'home', caller: 'key' };
const route = {
  contract: { responses: { 200: { mediaType: 'application/json' } } },
} as unknown as Route;

/** A caller gets a third of the memory: one large answer, and no second one beside it. */
const memory = new BodyMemory(80 * MIB);
let server: Server;
let ended: number;

beforeAll(async () => {
  const app = express();
  app.use(async (request, response) => {
    using share = memory.open(HOLDER);
    const signal = new AbortController().signal;
    const answer = { status: 200, body: 'x'.repeat(LARGE), headers: { 'X-Of-Answer': 'yes' } };
    await sendAnswer({ request, response, signal }, { route, memory: share }, answer);
    ended += 1;
  });
  // oxlint-disable-next-line max-params -- Express recognizes handlers of errors by their four parameters.
  const refused: ErrorRequestHandler = (error: Error, _request, response, _next) => {
    response.status(429).send(error.message);
  };
  app.use(refused);
  ended = 0;
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function statusOf(init: RequestInit = {}): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, init);
  await response.arrayBuffer();
  expect(response.headers.get('x-of-answer')).toBe(response.status === 200 ? 'yes' : null);
  return response.status;
}

test('a large answer counts in the memory of its request until its client has received it', async () => {
  const slow = connect((server.address() as AddressInfo).port, '127.0.0.1');
  slow.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(slow, 'readable');
  expect(await statusOf()).toBe(429);
  const retry = { method: 'POST', headers: { 'Idempotency-Key': 'a' } };
  expect(await statusOf(retry)).toBe(429);
  // The effect of this request would be lost to its client.
  expect(await statusOf({ method: 'POST' })).toBe(200);
  expect(ended).toBe(1);
  slow.destroy();
  while (ended === 1) await new Promise((go) => setTimeout(go, 5));
  expect(await statusOf()).toBe(200);
});
