import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Lease, type LeaseOptions } from './lease.ts';
import { withHeartbeat } from './with-heartbeat.ts';

const POLL_MS = 200;
/**
 * The number of renewals per duration of a lease. One late or failed renewal does not lose the lease.
 */
const RENEWALS = 3;

/** The `seconds` of the lease are also how long other processes wait after the holder has crashed. */
export type ExclusiveLease = Omit<LeaseOptions, 'holder'>;

/**
 * Waits until no other process holds the lease, acquires the lease, and renews it while the work runs.
 *
 * @throws the errors of the work; StoreUnavailable; an AbortError if the wait is aborted
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
