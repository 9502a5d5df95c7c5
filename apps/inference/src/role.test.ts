import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import type { ClosedFor } from '@sightline/platform/http/connection-limits';
import { createLogger } from '@sightline/platform/logging/logger';
import { createInferenceRole, type ServedEngine } from './role.ts';

const engine = {
  status: () => ({ ready: true, provider: 'cpu', models: [], report: [] }),
  warm: () => Promise.resolve(),
  close: () => Promise.resolve(),
} as unknown as ServedEngine;

test('callers at one address may have all connections', async () => {
  const MAX = 6;
  let open = 0;
  const closed: ClosedFor[] = [];
  await using role = createInferenceRole({
    host: '127.0.0.1',
    port: 0,
    maxConnections: MAX,
    connections: {
      open: (count) => void (open = count),
      closed: (reason) => void closed.push(reason),
    },
    openEngine: () => Promise.resolve(engine),
    limits: { maxBytes: 1 },
    bodyMemory: 1,
    keys: null,
    logger: createLogger({ level: 'silent' }),
    observer: { started: () => undefined, finished: () => undefined },
  });
  await role.start(new AbortController().signal);
  const { port } = new URL(role.localUrl!);
  const sockets: Socket[] = [];
  while (sockets.length < MAX) {
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
  }
  while (open + closed.length < MAX) await new Promise((resolve) => setImmediate(resolve));
  expect({ open, closed }).toEqual({ open: MAX, closed: [] });
  for (const socket of sockets) socket.destroy();
});
