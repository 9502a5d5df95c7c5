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
 * Compares the whole index with the database and counts the differences. Each difference is recorded as a pending
 * change, so that searches respect it and the writer of the index repairs it. Differences are recorded in batches,
 * because matching is unavailable while too many changes are pending. Spaces without rows are compared as well, since
 * they may still have points.
 *
 * @param settle applies pending changes to the index
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
