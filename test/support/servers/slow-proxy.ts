import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy in front of a local server that can delay all traffic. */
export interface SlowProxy extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /**
   * Delays each chunk in both directions by this number of ms from now on. With 0 nothing is
   * delayed.
   */
  delayBy(milliseconds: number): void;
}

export async function openSlowProxy(to: { host: string; port: number }): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const lag = new Lag();
  const server = createServer((from) => {
    const onward = connect(to.port, to.host);
    for (const socket of [from, onward]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    passOn(from, onward, lag);
    passOn(onward, from, lag);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    host: '127.0.0.1',
    port: address.port,
    delayBy: (milliseconds) => lag.set(milliseconds),
    async [Symbol.asyncDispose]() {
      lag.set(0);
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

class Lag {
  #milliseconds = 0;
  #change = new AbortController();

  set(milliseconds: number): void {
    this.#milliseconds = milliseconds;
    this.#change.abort();
    this.#change = new AbortController();
  }

  /** Settles when a chunk that arrives now may be sent on. */
  async pass(): Promise<void> {
    if (this.#milliseconds === 0) return;
    await sleep(this.#milliseconds, undefined, { signal: this.#change.signal }).catch(() => null);
  }
}

function passOn(from: Socket, onward: Socket, lag: Lag): void {
  let before = Promise.resolve();
  const after = (deliver: () => void): void => {
    const arrival = lag.pass();
    before = before.then(() => arrival).then(deliver);
  };
  from.on('data', (piece) => after(() => onward.destroyed || onward.write(piece)));
  from.on('end', () => after(() => onward.destroyed || onward.end()));
  from.on('close', () => after(() => onward.destroy()));
}
