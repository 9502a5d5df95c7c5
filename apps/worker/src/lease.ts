import type { LeaseStore } from '@sightline/core/maintenance/lease-store';

export interface LeaseOptions {
  readonly leases: LeaseStore;
  /** What one process at a time does. */
  readonly name: string;
  /** A name that no other process has. */
  readonly holder: string;
  /** How long it lasts unless it is prolonged. */
  readonly seconds: number;
}

/** A lease as one process takes it. */
export interface HeldLease {
  /**
   * Takes or prolongs it; false while another process has it.
   *
   * @throws StoreUnavailable
   */
  hold(): Promise<boolean>;
  /** Gives it back. If that fails it lasts to its end, as that of a process that was killed. */
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
