import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../testing/api-server.ts';

const GIB = 1024 ** 3;
const JSON_BODY = JSON.stringify({ image_base64: Buffer.from('anna').toString('base64') });

let api: ApiServer;
let key: string;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  key = await api.createKey({});
});
afterAll(() => api[Symbol.asyncDispose]());

/** Sends a head with `Expect: 100-continue`, and the body only if the service asks for it. */
function post(path: string, headers: Record<string, string | number>, body = '') {
  return new Promise<{ status: number; asked: boolean }>((resolve, reject) => {
    let asked = false;
    const all = { 'Content-Type': 'application/json', ...headers, Expect: '100-continue' };
    const sent = request(`${api.base}${path}`, { method: 'POST', headers: all });
    sent.once('continue', () => {
      asked = true;
      sent.end(body);
    });
    sent.once('error', reject).once('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode!, asked });
      if (!asked) sent.destroy();
    });
    sent.flushHeaders();
  });
}

const LONG = { 'Content-Length': GIB };
const SHORT = { 'Content-Length': 100 };
const FORM = { 'Content-Type': 'multipart/form-data; boundary=x' };
const TEXT = { 'Content-Type': 'text/plain' };

test.each([
  ['with a wrong key', 401, '/api/identify', { ...SHORT, 'X-API-Key': 'x' }],
  ['that is too long', 413, '/api/identify', LONG],
  ['that is a form and too long', 413, '/api/identify', { ...LONG, ...FORM }],
  ['of another media type', 415, '/api/identify', { ...SHORT, ...TEXT }],
  ['with a wrong parameter', 400, '/api/identities/x/enroll', SHORT],
  ['for an unknown path', 404, '/api/nothing', SHORT],
])('no body is asked for of a request %s: %i', async (...[, status, path, headers]) => {
  expect(await post(path, { 'X-API-Key': key, ...headers })).toEqual({ status, asked: false });
});

test('no body is asked for of a request without a key', async () => {
  expect(await post('/api/identify', SHORT)).toEqual({ status: 401, asked: false });
});

test('a body is asked for once it is read', async () => {
  const headers = { 'Content-Length': JSON_BODY.length, 'X-API-Key': key };
  expect(await post('/api/identify', headers, JSON_BODY)).toEqual({ status: 200, asked: true });
});
