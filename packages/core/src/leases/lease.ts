import type { LeaseStore } from './lease-store.ts';

export interface LeaseOptions {
  readonly leases: LeaseStore;
  /** The name of the task that only one process at a time may run. */
  readonly name: string;
  /** A name that is unique to this process. */
  readonly holder: string;
  /** The duration of the lease after it was acquired or renewed. */
  readonly seconds: number;
}

export interface HeldLease {
  /**
   * Acquires or renews the lease. Returns false while another process holds the lease.
   *
   * @throws StoreUnavailable
   */
  hold(): Promise<boolean>;
  /** Releases the lease. If this fails, the lease expires later, as after a crash. */
  release(): Promise<void>;
}

export class Lease implements HeldLease {
  readonly #options: LeaseOptions;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  hold(): Promise<boolean> {
    const { leases, name, holder, seconds } = this.#options;
    return leases.hold(name, holder, seconds);
  }

  async release(): Promise<void> {
    const { leases, name, holder } = this.#options;
    await leases.release(name, holder).catch(() => undefined);
  }
}
