import type { LeaseStore } from './lease-store.ts';

export interface LeaseOptions {
  readonly leases: LeaseStore;
  /** The name of the task that one process at a time runs. */
  readonly name: string;
  /** A name that no other process has. */
  readonly holder: string;
  /** How long it lasts after it was taken or renewed. */
  readonly seconds: number;
}

/** A lease as one process takes it. */
export interface HeldLease {
  /**
   * Takes or renews it; false while another process holds it.
   *
   * @throws StoreUnavailable
   */
  hold(): Promise<boolean>;
  /** Gives it back. If that fails, the lease expires, as after a crash. */
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
