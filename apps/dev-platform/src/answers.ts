import { once } from 'node:events';
import { connect } from 'node:net';

const TIMEOUT_MS = 2_000;

export async function answersAt(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
}

export async function listensAt(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return connected;
}
