import type { Socket } from 'node:net';
import { FairShares } from '../resilience/fair-shares.ts';
import { addressOf, holderAt, type TrustedProxies } from './client-address.ts';

/**
 * The reason why a connection was closed. `idle`: it waited for a request, and a new connection needed its place.
 * `over_share`: its address has as many connections as it may have. `full`: there is no place for any address.
 */
export type ClosedFor = 'idle' | 'over_share' | 'full';

export interface ConnectionObserver {
  /** Called with the number of open connections after each change. */
  open(count: number): void;
  closed(reason: ClosedFor): void;
}

export interface ConnectionLimitOptions {
  /** The maximum number of connections. */
  readonly max: number;
  readonly trusted: TrustedProxies;
  readonly observer: ConnectionObserver | undefined;
}

/**
 * Limits the connections of a listener. Each address has a fair share of them (`FairShares`), so that one address
 * cannot lock out the others. If an address has its share, or all places are taken, a new connection takes the place of
 * the connection that has waited longest for a request: of one of the same address, or, for an address without
 * connections, of any other. Connections of trusted proxies have no share and never lose their place.
 */
export class ConnectionLimits {
  readonly #options: ConnectionLimitOptions;
  readonly #shares: FairShares;
  /** The connections that hold a share, and their addresses. */
  readonly #addresses = new Map<Socket, string>();
  /** The connections among them that wait for a request. The one that has waited longest is the first. */
  readonly #waiting = new Set<Socket>();
  readonly #proxies = new Set<Socket>();

  constructor(options: ConnectionLimitOptions) {
    this.#options = options;
    this.#shares = new FairShares(options.max);
  }

  /** Admits a new connection, or closes it. */
  accept(socket: Socket): void {
    const address = addressOf(socket.remoteAddress ?? '');
    // A client that has already disconnected has no address any more.
    if (address === null) socket.destroy();
    else if (this.#options.trusted.includes(address)) this.#acceptProxy(socket);
    else this.#acceptClient(socket, address);
    this.#report();
  }

  /** A request has arrived on the connection. */
  work(socket: Socket): void {
    this.#waiting.delete(socket);
  }

  /** All requests of the connection are answered. */
  wait(socket: Socket): void {
    if (this.#addresses.has(socket)) this.#waiting.add(socket);
  }

  #acceptProxy(socket: Socket): void {
    const hasPlace = this.#shares.held + this.#proxies.size < this.#options.max;
    if (!hasPlace && !this.#replaceAny()) {
      this.#refuse(socket, 'full');
      return;
    }
    this.#proxies.add(socket);
    this.#fitShares();
    socket.once('close', () => {
      this.#proxies.delete(socket);
      this.#fitShares();
      this.#report();
    });
  }

  /** Divides the places that proxies do not use among the other addresses. */
  #fitShares(): void {
    this.#shares.capacity = this.#options.max - this.#proxies.size;
  }

  #acceptClient(socket: Socket, address: string): void {
    const holder = holderAt(address);
    const admission = this.#shares.take(holder, 1);
    if (admission !== 'admitted' && !this.#replace(address)) {
      this.#refuse(socket, admission);
      return;
    }
    this.#addresses.set(socket, address);
    this.#waiting.add(socket);
    socket.once('close', () => {
      if (this.#forget(socket)) this.#shares.giveBack(holder, 1);
      this.#report();
    });
  }

  /** Closes a waiting connection to make room for one of the address. Returns whether the address has the place now. */
  #replace(address: string): boolean {
    const holder = holderAt(address);
    const { environment } = holder;
    const own = [...this.#waiting].find(
      (socket) => holderAt(this.#addresses.get(socket)!).environment === environment,
    );
    if (own !== undefined) {
      // The new connection takes over the share of the closed one.
      this.#closeWaiting(own);
      return true;
    }
    const isWithinShare = this.#shares.admits(holder, 0) === 'admitted';
    return isWithinShare && this.#replaceAny() && this.#shares.take(holder, 1) === 'admitted';
  }

  #replaceAny(): boolean {
    const [longest] = this.#waiting;
    if (longest === undefined) return false;
    this.#shares.giveBack(holderAt(this.#closeWaiting(longest)), 1);
    return true;
  }

  /** @returns the address of the connection, whose share is still held */
  #closeWaiting(socket: Socket): string {
    const address = this.#addresses.get(socket)!;
    this.#forget(socket);
    socket.destroy();
    this.#options.observer?.closed('idle');
    return address;
  }

  #forget(socket: Socket): boolean {
    this.#waiting.delete(socket);
    return this.#addresses.delete(socket);
  }

  #refuse(socket: Socket, reason: ClosedFor): void {
    socket.destroy();
    this.#options.observer?.closed(reason);
  }

  #report(): void {
    this.#options.observer?.open(this.#addresses.size + this.#proxies.size);
  }
}
