import type { ChangeLog } from './change-log.ts';
import { findDrift } from './find-drift.ts';
import type { IndexDrift } from './index-drift.ts';
import type { IndexSource } from './index-source.ts';
import type { VectorIndex } from './vector-index.ts';

const BATCH = 1000;

interface CompareDeps {
  readonly source: Pick<IndexSource, 'possibleSpaces' | 'list'>;
  readonly changeLog: Pick<ChangeLog, 'note'>;
  readonly index: Pick<VectorIndex, 'list'>;
}

/**
 * Compares the whole index with the database. What differs is noted like a change, so that the one
 * writer of the index repairs it and searches see it from now on; answers what it was. Much that
 * differs is noted little by little: what is noted is the tail, which nobody is matched beside when it
 * is long. A space whose last row went may still have points in the index: one without either costs
 * an empty page of each.
 *
 * @param settle brings to the index what was noted until then
 * @throws StoreUnavailable, VectorsUnavailable
 */
export async function compareIndex(
  deps: CompareDeps,
  settle: () => Promise<void>,
  signal?: AbortSignal,
): Promise<IndexDrift> {
  const total = { missing: 0, extra: 0, stale: 0 };
  for (const space of await deps.source.possibleSpaces(signal)) {
    const drift = await findDrift(deps, { space, settle }, signal);
    for (const kind of drift.values()) total[kind]++;
    const ids = [...drift.keys()];
    for (let start = 0; start < ids.length; start += BATCH) {
      if (start > 0) await settle();
      await deps.changeLog.note(space, ids.slice(start, start + BATCH));
    }
  }
  return total;
}
