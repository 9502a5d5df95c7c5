import { setTimeout } from 'node:timers/promises';
import type { ChangeLog } from './change-log.ts';

/** What bulk writers leave to the index at most, so that callers who match do not wait for them. */
const MOST_WAITING = 1000;
const PAUSE_MS = 200;

/**
 * Holds a bulk writer up while the index is behind.
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
