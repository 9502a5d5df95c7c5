import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports that systems give to connections and to whoever takes any: what is free among those
 * may be somebody else's a moment later, when the process that is to have it starts.
 */
const [FIRST, LAST] = [10_240, 32_000];
/** Somebody has the port, or nobody may. */
const NOT_FREE = new Set(['EADDRINUSE', 'EACCES']);

/** A port of the loopback interface that is free at this moment. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

/** So many ports of the loopback interface that are free at this moment, all different. */
export async function freePorts(count: number): Promise<readonly number[]> {
  // Held until all are found.
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

/** Null where the port is not free. */
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
