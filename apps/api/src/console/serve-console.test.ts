import { mkdir, rm, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { serveConsole } from './serve-console.ts';

const PAGE = '<!doctype html><title>Sightline</title>';
const SCRIPT = 'export const answer = 42;';
const STYLE_HASH = 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=';

let resources: AsyncDisposableStack;
let folder: string;
let api: ApiServer;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  folder = resources.use(await temporaryFolder()).path;
  await mkdir(join(folder, 'public/assets'), { recursive: true });
  await writeFile(join(folder, 'build.json'), JSON.stringify({ style_hashes: [STYLE_HASH] }));
  await writeFile(join(folder, 'public/index.html'), PAGE);
  await writeFile(join(folder, 'public/favicon.svg'), '<svg/>');
  await writeFile(join(folder, 'public/assets/main-1a2b.js'), SCRIPT);
  await writeFile(join(folder, 'public/assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT));
  api = resources.use(await startApi(createMigratedDatabase, {}, serveConsole(folder)));
});
afterAll(() => resources.disposeAsync());

const browse = (path: string, init: RequestInit = {}) =>
  fetch(api.base + path, { redirect: 'manual', ...init });

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the page', () => {
  test.each(['/console/', '/console/sign-in', '/console/3/people/17?sort=label'])(
    'is the same at %s',
    async (path) => {
      const response = await browse(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toBe(PAGE);
    },
  );

  test('permits scripts, requests and images of the service alone', async () => {
    const { headers } = await browse('/console/');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; " +
        `style-src 'self' '${STYLE_HASH}'; img-src 'self' blob:; connect-src 'self'; ` +
        "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('is not sent again to a browser that has it', async () => {
    const { headers } = await raw('/console/');
    const again = await raw('/console/people', { 'If-None-Match': headers.etag! });
    expect(again.status).toBe(304);
  });
});

describe('a file', () => {
  test('with a digest in its name never changes', async () => {
    const response = await browse('/console/assets/main-1a2b.js');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(await response.text()).toBe(SCRIPT);
  });

  test('without one is compared each time', async () => {
    const { headers } = await browse('/console/favicon.svg');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('content-type')).toMatch(/^image\/svg\+xml/);
  });

  test.each([
    { accepted: 'br, gzip', coding: 'br' },
    { accepted: 'gzip;q=1, br;q=0', coding: undefined },
    { accepted: 'identity', coding: undefined },
    { accepted: undefined, coding: undefined },
  ])('is sent as $coding to a client that accepts $accepted', async ({ accepted, coding }) => {
    const { headers } = await raw('/console/assets/main-1a2b.js', {
      ...(accepted !== undefined && { 'Accept-Encoding': accepted }),
    });
    expect(headers['content-encoding']).toBe(coding);
    expect(headers.vary).toMatch(/Accept-Encoding/);
    expect(headers['content-type']).toMatch(/^text\/javascript/);
  });

  test.each([
    '/console/assets/other.js',
    '/console/index.htm.js',
    '/console/../build.json',
    '/console/%2e%2e/build.json',
    '/console/..%2fbuild.json',
    '/console/assets/main-1a2b.js.br',
    '/console/constructor.js',
  ])('that is not there is refused as %s', async (path) => {
    expect(await raw(path)).toMatchObject({ status: 404 });
  });
});

test('a browser at / is sent to the console, and a caller of the API is not', async () => {
  const browser = await browse('/', { headers: HTML });
  expect(browser.status).toBe(303);
  expect(browser.headers.get('location')).toBe('/console/');
  expect(browser.headers.get('vary')).toMatch(/Accept/);
  const caller = await browse('/', { headers: { Accept: '*/*' } });
  expect(caller.status).toBe(404);
  expect(await caller.json()).toMatchObject({ code: 'not_found' });
});

test('the path without a slash leads to the one with it', async () => {
  const response = await browse('/console');
  expect([response.status, response.headers.get('location')]).toEqual([308, '/console/']);
});

test('other methods are refused', async () => {
  const response = await browse('/console/people', { method: 'POST' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
});

test('HEAD has no body', async () => {
  const response = await browse('/console/people', { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('a file that was deleted since the start is a problem, and the service goes on', async () => {
  await using other = await temporaryFolder();
  await mkdir(join(other.path, 'public'));
  await writeFile(join(other.path, 'build.json'), JSON.stringify({ style_hashes: [] }));
  await writeFile(join(other.path, 'public/index.html'), PAGE);
  await using server = await startApi(createMigratedDatabase, {}, serveConsole(other.path));
  await rm(join(other.path, 'public'), { recursive: true });
  const response = await fetch(`${server.base}/console/`);
  expect(response.status).toBe(404);
  expect((await fetch(`${server.base}/api/capabilities`)).status).toBe(200);
});

test.each(['missing', 'empty'])('a folder that is %s stops the start', async (kind) => {
  await using other = await temporaryFolder();
  const path = kind === 'empty' ? other.path : join(other.path, 'nowhere');
  expect(() => serveConsole(path)).toThrow(StartError);
  expect(() => serveConsole(path)).toThrow(/SIGHTLINE_CONSOLE_DIR/);
});

/** Sends a request as it is, because fetch normalizes paths and adds headers. */
function raw(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { hostname, port } = new URL(api.base);
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    httpGet({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode!, headers: response.headers });
    }).once('error', reject);
  });
}
