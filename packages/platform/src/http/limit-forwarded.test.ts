import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import express from 'express';
import { TrustedProxies } from './client-address.ts';
import type { HttpError } from './http-errors.ts';
import { limitForwarded } from './limit-forwarded.ts';

let server: Server;
let pending: ServerResponse[];

beforeEach(async () => {
  pending = [];
  const app = express();
  app.use(limitForwarded(new TrustedProxies(['127.0.0.1']), { most: 6 }));
  app.use((_request, response) => void pending.push(response));
  // oxlint-disable-next-line max-params -- express tells an error handler by its four parameters
  const refuse: express.ErrorRequestHandler = (error: HttpError, _request, response, _next) => {
    response.status(error.status).set(error.headers).end(error.code);
  };
  app.use(refuse);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(forwarded?: string): Promise<Response> {
  const { port } = server.address() as AddressInfo;
  const headers = forwarded === undefined ? undefined : { 'X-Forwarded-For': forwarded };
  return fetch(`http://127.0.0.1:${port}/`, { headers });
}

async function arrived(count: number): Promise<void> {
  while (pending.length < count) await new Promise((resolve) => setImmediate(resolve));
}

test('a client behind a proxy gets a share of the requests in progress, and others get theirs', async () => {
  const held = [ask('198.51.100.1'), ask('198.51.100.1')];
  await arrived(2);
  const refused = await ask('198.51.100.1');
  expect([refused.status, await refused.text()]).toEqual([429, 'overloaded']);
  expect(refused.headers.get('Retry-After')).toBe('1');
  const others = [ask('198.51.100.2'), ask(), ask()];
  await arrived(5);
  for (const response of pending.splice(0)) response.end('ok');
  for (const answer of [...held, ...others]) expect((await answer).status).toBe(200);
  const again = ask('198.51.100.1');
  await arrived(1);
  pending[0]!.end();
  expect((await again).status).toBe(200);
});

test('a peer that names clients although it is no trusted proxy is reported once', () => {
  const reported: string[] = [];
  const untrusted = (peer: string) => void reported.push(peer);
  const limit = limitForwarded(new TrustedProxies(['192.0.2.1']), { most: 6, untrusted });
  const ask = (remoteAddress: string, forwarded?: string) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const request = { headers, socket: { remoteAddress } } as unknown as express.Request;
    const response = { once: () => undefined } as unknown as express.Response;
    void limit(request, response, () => undefined);
  };
  ask('192.0.2.1', '198.51.100.1');
  ask('192.0.2.9');
  expect(reported).toEqual([]);
  ask('::ffff:192.0.2.9', '198.51.100.1');
  ask('192.0.2.10', '198.51.100.1');
  expect(reported).toEqual(['192.0.2.9']);
});
