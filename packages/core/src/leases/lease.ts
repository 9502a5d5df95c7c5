import { setTimeout as delay } from 'node:timers/promises';
import type { LeaseStore } from './lease-store.ts';

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

/**
 * Does something while a lease that is held is prolonged every so many ms. A beat that fails is
 * followed by another, or by the end of the lease; when this settles none is under way, which would
 * take the lease back from whoever gives it back then.
 */
export async function whileHeld<T>(
  lease: Pick<HeldLease, 'hold'>,
  everyMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const beats = keepHolding(lease, everyMs, over.signal);
  try {
    return await work();
  } finally {
    over.abort();
    await beats;
  }
}

async function keepHolding(
  lease: Pick<HeldLease, 'hold'>,
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  const pause = () => delay(everyMs, true, { signal }).catch(() => false);
  while (await pause()) await lease.hold().catch(() => undefined);
}
