import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LeaseStore } from '@sightline/core/maintenance/lease-store';

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
  const holder = randomUUID();
  const hold = () => leases.hold(name, holder, seconds);
  while (!(await hold())) await delay(PAUSE_MS, undefined, { signal });
  const over = new AbortController();
  const beats = keepHolding(hold, (seconds * 1000) / BEATS, over.signal);
  try {
    return await work();
  } finally {
    over.abort();
    // One that is under way would take the lease back.
    await beats;
    // If that fails the lease ends by itself, as that of a process that was killed.
    await leases.release(name, holder).catch(() => undefined);
  }
}

async function keepHolding(
  hold: () => Promise<unknown>,
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  const pause = () => delay(everyMs, true, { signal }).catch(() => false);
  while (await pause()) await hold().catch(() => undefined);
}
