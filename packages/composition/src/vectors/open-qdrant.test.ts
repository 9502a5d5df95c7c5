import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { freePort } from '@sightline/dev-platform/free-port';
import type { Logger } from '@sightline/platform/logging/logger';
import type { DependencyState } from '@sightline/platform/resilience/dependency';
import { openQdrant } from './open-qdrant.ts';

const space = { environmentId: 1, modelId: 1, kind: 'faces', dimension: 2 } as const;
const query = { vectors: [Float32Array.of(1, 0)], limit: 1 };
const installation = '00000000-0000-0000-0000-000000000000';

function open(url: URL, apiKey: string | null = null) {
  const warnings: unknown[] = [];
  const states: DependencyState[] = [];
  const logger = {
    warn: (...args: unknown[]) => warnings.push(args),
    info: () => undefined,
  } as unknown as Logger;
  const observer = {
    stateChanged: ({ state }: { readonly state: DependencyState }) => void states.push(state),
  };
  const readKey = apiKey === null ? null : () => [apiKey];
  const settings = { url, apiKey: readKey, shards: 1, replicas: 1 };
  const index = openQdrant(settings, installation, { logger, observer });
  return { index, warnings, states };
}

test('a key that is sent unencrypted over the network is logged once', () => {
  const { index, warnings } = open(new URL('http://qdrant.example:6333'), 'hidden');
  index[Symbol.dispose]();
  expect(warnings).toHaveLength(1);
  expect(JSON.stringify(warnings)).not.toContain('hidden');
});

test('a server that is down stays unavailable for every caller until it answers', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"result":{"aliases":[]}}');
  });
  const port = await freePort();
  const { index, states } = open(new URL(`http://127.0.0.1:${port}`));
  using opened = index;
  const search = () => opened.searchPoints(space, query).catch((error: unknown) => error);
  while (states.length < 2) expect(await search()).toMatchObject({ code: 'vectors_unavailable' });
  expect(states).toEqual(['available', 'failing']);

  // This time is longer than the pause between two pings. The pings get no answer, so the state stays the same.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(states).toEqual(['available', 'failing']);

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  while (states.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(states).toEqual(['available', 'failing', 'available']);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
