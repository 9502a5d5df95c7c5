import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestConnection } from './test-server.ts';

/**
 * The delay of each answer in ms. Meanwhile the client sends everything that does not depend on the
 * answer.
 */
const HOLD_MS = 10;

/** A proxy in front of a Postgres server that counts the answers for which its clients wait. */
export class CountingProxy implements AsyncDisposable {
  /** The number of round trips since the start. Tests compare two values of it. */
  roundTrips = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server;

  private constructor({ host, port }: TestConnection) {
    const to = host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port };
    this.#server = createServer((client) => {
      const server = connect(to as { host: string; port: number });
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
      }
      this.#pass(client, server);
    });
  }

  static async open(to: TestConnection): Promise<CountingProxy> {
    const proxy = new CountingProxy(to);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get address(): { readonly host: string; readonly port: number } {
    return { host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  #pass(client: Socket, server: Socket): void {
    let isWaiting = false;
    let onlyReads = false;
    client.on('data', (piece) => {
      const text = piece.toString('latin1');
      if (text.includes('BEGIN')) onlyReads = text.includes('READ ONLY');
      // The COMMIT of a transaction that only reads is no round trip, because its client does not wait for the
      // answer.
      const ends = onlyReads && text.includes('COMMIT') && !text.includes('BEGIN');
      if (!isWaiting && !ends) {
        isWaiting = true;
        this.roundTrips++;
      }
      server.write(piece);
    });
    server.on('data', (piece) => {
      setTimeout(() => {
        isWaiting = false;
        client.write(piece);
      }, HOLD_MS);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
