import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { openInference } from '@sightline/composition/open-inference';
import { encodeStatus } from '@sightline/engine/wire/status-message';
import { freePort } from '@sightline/dev-platform/free-port';
import { AcceptedKeys } from '@sightline/inference/accepted-keys';
import { createInferenceApp } from '@sightline/inference/create-inference-app';
import { createLogger } from '@sightline/platform/logging/logger';

let server: Server | undefined;
afterEach(async () => {
  if (server === undefined) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

/** Starts a server that answers only status requests: its model is warm, on a GPU. */
async function listen(port: number): Promise<void> {
  const status = { ready: true, provider: 'cuda', models: [], report: [] } as const;
  server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end(encodeStatus(status));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

test('a GPU that comes after the start is known of', async () => {
  const port = await freePort();
  const wait = {
    timeoutMs: 0,
    logger: createLogger({ level: 'silent' }),
    signal: new AbortController().signal,
  };
  const settings = {
    urls: [new URL(`http://127.0.0.1:${port}`)],
    isName: false,
    key: null,
    routes: 'database',
  } as const;
  await using inference = await openInference(settings, wait);
  expect(await inference.gpuAvailable()).toBe(false);
  await listen(port);
  while (!(await inference.gpuAvailable())) await new Promise((resolve) => setTimeout(resolve, 50));
});

test('a wrong key is logged once for the operator without its text, and callers get 503', async () => {
  const key = 'the right key of this test';
  const wrong = 'a wrong key of this test';
  const app = createInferenceApp({
    engine: {
      isIdle: true,
      requireRoom: () => undefined,
      analyze: () => Promise.reject(new Error('not allowed')),
    },
    requests: null,
    status: () => ({ ready: true, provider: 'cpu', models: [], report: [] }),
    limits: { maxBytes: 1000 },
    bodyMemory: 1024 ** 2,
    keys: new AcceptedKeys(() => [key]),
    logger: createLogger({ level: 'silent' }),
    observer: { started: () => undefined, finished: () => undefined },
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const lines: string[] = [];
  const wait = {
    timeoutMs: 0,
    logger: createLogger({
      level: 'error',
      destination: { write: (line) => void lines.push(line) },
    }),
    signal: new AbortController().signal,
  };
  await using refused = await openInference(
    { urls: [url], isName: false, key: () => [wrong], routes: 'database' },
    wait,
  );
  for (let attempt = 0; attempt < 3; attempt++) {
    const request = { image: Uint8Array.of(1) };
    await expect(refused.analyzer.analyze(request)).rejects.toMatchObject({
      code: 'inference_unavailable',
    });
    await expect(refused.analyzer.status()).rejects.toMatchObject({
      code: 'inference_unavailable',
    });
  }
  expect(lines).toEqual([
    expect.stringContaining('refuses the key of this process: give both the same SIGHTLINE_INF'),
  ]);
  expect(lines[0]).toContain(url.origin);
  expect(lines[0]).not.toMatch(/of this test/);

  await using allowed = await openInference(
    { urls: [url], isName: false, key: () => [key], routes: 'database' },
    wait,
  );
  expect(await allowed.analyzer.status()).toMatchObject({ ready: true });
});
