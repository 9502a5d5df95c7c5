import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * The range of candidate ports. The range lies below the ephemeral ports, because the system may give an ephemeral
 * port to another program before the intended process starts.
 */
const [FIRST, LAST] = [10_240, 32_000];
/** The error codes of a port that is in use or that this account must not use. */
const NOT_FREE = new Set(['EADDRINUSE', 'EACCES']);

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

export async function freePorts(count: number): Promise<readonly number[]> {
  // All found ports stay open until the last one is found, so that the ports are distinct.
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

/** Returns null if the port is not free. */
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
