import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine that tells how much went there. */
export interface ObservedWay extends AsyncDisposable {
  readonly endpoint: URL;
  /** Settles when so many bytes have gone to the server. */
  sent(bytes: number): Promise<void>;
}

/** Passes connections on to a server. */
export async function observeWay(to: URL): Promise<ObservedWay> {
  const sockets = new Set<Socket>();
  let passed = 0;
  const waiting: { readonly bytes: number; readonly settle: () => void }[] = [];
  const server = createServer((from) => {
    const onward = connect(Number(to.port), to.hostname);
    for (const socket of [from, onward]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    from.on('close', () => onward.destroy());
    onward.on('close', () => from.destroy());
    from.on('data', (chunk) => {
      passed += chunk.length;
      for (const { bytes, settle } of waiting) if (passed >= bytes) settle();
    });
    from.pipe(onward).pipe(from);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    endpoint: new URL(`http://127.0.0.1:${address.port}`),
    sent: (bytes) =>
      new Promise((settle) => {
        if (passed >= bytes) settle();
        else waiting.push({ bytes, settle });
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
