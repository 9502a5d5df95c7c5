import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { openInference } from '@sightline/composition/open-inference';
import { encodeStatus } from '@sightline/engine/wire/status-message';
import { freePort } from '@sightline/dev-platform/free-port';
import { createLogger } from '@sightline/platform/logging/logger';

let server: Server | undefined;
afterEach(async () => {
  if (server === undefined) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

/** Not more than a status: that its model is warm, on a GPU. */
async function listen(port: number): Promise<void> {
  const status = { ready: true, provider: 'cuda', models: [] } as const;
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
  const settings = { urls: [new URL(`http://127.0.0.1:${port}`)] };
  await using inference = await openInference(settings, wait);
  expect(await inference.gpuAvailable()).toBe(false);
  await listen(port);
  while (!(await inference.gpuAvailable())) await new Promise((resolve) => setTimeout(resolve, 50));
});
