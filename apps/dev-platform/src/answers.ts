import { once } from 'node:events';
import { connect } from 'node:net';

const PATIENCE_MS = 2_000;

/** Whether an address answers with a status below 300. */
export async function answersAt(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}

/** Whether somebody takes connections at a port of this machine. */
export async function listensAt(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return connected;
}
