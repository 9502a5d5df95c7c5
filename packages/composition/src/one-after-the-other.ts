import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Lease, whileHeld } from '@sightline/core/leases/lease';
import type { LeaseStore } from '@sightline/core/leases/lease-store';

const PAUSE_MS = 200;
/** Of a lease: one beat that fails, or comes late, costs nothing. */
const BEATS = 3;

export interface Turn {
  readonly leases: LeaseStore;
  /** What one process at a time does. */
  readonly name: string;
  /** For how long the others wait for a process that was killed. */
  readonly seconds: number;
}

/**
 * Does something while no other process does it, which waits for its turn. However long the work
 * takes, its turn is prolonged.
 *
 * @throws what the work throws; StoreUnavailable; the signal's reason on abort
 */
export async function oneAfterTheOther<T>(
  { leases, name, seconds }: Turn,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const lease = new Lease({ leases, name, holder: randomUUID(), seconds });
  while (!(await lease.hold())) await delay(PAUSE_MS, undefined, { signal });
  try {
    return await whileHeld(lease, (seconds * 1000) / BEATS, work);
  } finally {
    await lease.release();
  }
}
