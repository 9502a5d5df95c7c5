import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * The range of ports is below the ephemeral ones, because another program may take an ephemeral port before the
 * intended process starts.
 */
const [FIRST, LAST] = [10_240, 32_000];
/** The error codes of a port that is in use or not allowed. */
const NOT_FREE = new Set(['EADDRINUSE', 'EACCES']);

/** Finds a port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

/** Finds different ports of the loopback interface that are free now. */
export async function freePorts(count: number): Promise<readonly number[]> {
  // The ports are kept open until all are found, so that they differ.
  await using held = new AsyncDisposableStack();
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(FIRST, LAST + 1);
    const server = await listenAt(port);
    if (server === null) continue;
    held.defer(() => close(server));
    ports.push(port);
  }
  return ports;
}

/** Null if the port is not free. */
async function listenAt(port: number): Promise<Server | null> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (NOT_FREE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
