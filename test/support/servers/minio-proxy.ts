import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy in front of a local server that counts the bytes that were sent to it. */
export interface ObservedProxy extends AsyncDisposable {
  readonly endpoint: URL;
  /** Settles after this number of bytes was sent to the server. */
  sent(bytes: number): Promise<void>;
  /**
   * Settles like `sent`. The proxy drops everything that arrives afterwards on the connection that sent the last of
   * these bytes, so its request stays incomplete.
   */
  lostAfter(bytes: number): Promise<void>;
}

export async function openObservedProxy(to: URL): Promise<ObservedProxy> {
  const sockets = new Set<Socket>();
  let passed = 0;
  const waiting = new Set<{ readonly bytes: number; readonly settle: (by: Socket) => void }>();
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
      for (const each of waiting) {
        if (passed < each.bytes) continue;
        waiting.delete(each);
        each.settle(from);
      }
    });
    from.pipe(onward).pipe(from);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    endpoint: new URL(`http://127.0.0.1:${address.port}`),
    sent: (bytes) =>
      new Promise((done) => {
        if (passed >= bytes) done();
        else waiting.add({ bytes, settle: () => done() });
      }),
    lostAfter: (bytes) =>
      new Promise((done) => {
        const settle = (by: Socket): void => {
          // The proxy continues to read what it drops, because otherwise it would not notice the end of the
          // connection.
          by.unpipe().resume();
          done();
        };
        waiting.add({ bytes, settle });
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
