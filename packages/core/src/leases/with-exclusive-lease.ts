import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Lease, type LeaseOptions } from './lease.ts';
import { withHeartbeat } from './with-heartbeat.ts';

const POLL_MS = 200;
/** The number of renewals while a lease lasts: one that fails or comes late does not lose the lease. */
const RENEWALS = 3;

/** `seconds` is how long other processes wait for one that crashed. */
export type ExclusiveLease = Omit<LeaseOptions, 'holder'>;

/**
 * Waits until no other process holds the lease, takes it, and runs the work while it is renewed.
 *
 * @throws what the work throws; StoreUnavailable; an AbortError if the wait is aborted
 */
export async function withExclusiveLease<T>(
  options: ExclusiveLease,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const lease = new Lease({ ...options, holder: randomUUID() });
  while (!(await lease.hold())) await delay(POLL_MS, undefined, { signal });
  const heartbeat = { everyMs: (options.seconds * 1000) / RENEWALS, renew: () => lease.hold() };
  try {
    return await withHeartbeat(heartbeat, work);
  } finally {
    await lease.release();
  }
}
