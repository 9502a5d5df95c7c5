import { setTimeout } from 'node:timers/promises';
import type { ChangeLog } from './change-log.ts';

/** The most pending changes at which bulk writers continue. More of them would slow down matching. */
const MOST_WAITING = 1000;
const PAUSE_MS = 200;

/**
 * Delays a bulk writer while the index has too many pending changes.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function waitForIndex(
  changeLog: Pick<ChangeLog, 'backlog'>,
  signal?: AbortSignal,
): Promise<void> {
  while ((await changeLog.backlog(signal)) > MOST_WAITING) {
    await setTimeout(PAUSE_MS, undefined, { signal });
  }
}
