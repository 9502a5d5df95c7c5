import { findDrift } from './find-drift.ts';
import type { IndexDeps } from './index-changes.ts';
import type { IndexDrift } from './index-drift.ts';

const BATCH = 1000;

/**
 * Compares the whole index with the database. What differs is noted like a change, so that the one
 * writer of the index repairs it and searches see it from now on; answers what it was. A space whose
 * last row went may still have points in the index: one without either costs an empty page of each.
 *
 * @param settle brings to the index what was noted until then
 * @throws StoreUnavailable, VectorsUnavailable
 */
export async function compareIndex(
  deps: IndexDeps,
  settle: () => Promise<void>,
  signal?: AbortSignal,
): Promise<IndexDrift> {
  const total = { missing: 0, extra: 0, stale: 0 };
  for (const space of await deps.source.possibleSpaces(signal)) {
    const drift = await findDrift(deps, { space, settle }, signal);
    for (const kind of drift.values()) total[kind]++;
    const ids = [...drift.keys()];
    for (let start = 0; start < ids.length; start += BATCH) {
      await deps.changeLog.note(space, ids.slice(start, start + BATCH));
    }
  }
  return total;
}
