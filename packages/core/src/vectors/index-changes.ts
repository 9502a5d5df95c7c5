import type { ChangeLog, VectorChange } from './change-log.ts';
import { isComparable } from './is-comparable.ts';
import type { IndexSource } from './index-source.ts';
import type { VectorIndex, VectorSpace } from './vector-index.ts';

export interface IndexDeps {
  readonly source: IndexSource;
  /** The change log of the index's reader. */
  readonly changeLog: ChangeLog;
  readonly index: VectorIndex;
}

/** An index, or a draft of an index. */
export type IndexWriter = Pick<VectorIndex, 'upsert' | 'remove'>;

export interface IndexChangesDeps {
  readonly source: Pick<IndexSource, 'points'>;
  readonly changeLog: Pick<ChangeLog, 'changes' | 'acknowledge' | 'note'>;
  readonly index: IndexWriter;
}

const BATCH = 1000;

/**
 * Applies the oldest pending changes to the index. It writes the current rows of the changed entities.
 *
 * Only the holder of a lease calls this for an index. A suspended process may continue after another process has
 * acquired the lease, and may then overwrite a newer point with an older one. In that case, both processes have read
 * the same change, so the second one finds at its acknowledgment that the change is no longer pending. It records the
 * change again, and the entity is read once more. If it crashes before that, the comparison of the whole index repairs
 * the point.
 *
 * @returns whether more changes may be pending
 * @throws StoreUnavailable, VectorsUnavailable
 */
export async function indexChanges(deps: IndexChangesDeps, signal?: AbortSignal): Promise<boolean> {
  const changes = await deps.changeLog.changes(BATCH, signal);
  for (const [space, ofSpace] of bySpace(changes)) {
    await indexSpace(deps, { space, changes: ofSpace }, signal);
  }
  return changes.length === BATCH;
}

async function indexSpace(
  { source, changeLog, index }: IndexChangesDeps,
  batch: { readonly space: VectorSpace; readonly changes: readonly VectorChange[] },
  signal?: AbortSignal,
): Promise<void> {
  const { space, changes } = batch;
  const ids = [...new Set(changes.map(({ entityId }) => entityId))];
  const found = await source.points(space, ids, signal);
  const points = found.filter((point) => isComparable(point, space.dimension));
  const present = new Set(points.map(({ id }) => id));
  const absent = ids.filter((id) => !present.has(id));
  if (points.length > 0) await index.upsert(space, points, signal);
  if (absent.length > 0) await index.remove(space, absent, signal);
  const acknowledged = await changeLog.acknowledge(changes);
  if (acknowledged < changes.length) await changeLog.note(space, ids);
}

function bySpace(changes: readonly VectorChange[]): Map<VectorSpace, VectorChange[]> {
  const groups = new Map<string, { space: VectorSpace; changes: VectorChange[] }>();
  for (const change of changes) {
    const { environmentId, modelId, kind } = change.space;
    const key = `${environmentId}/${modelId}/${kind}`;
    const group = groups.get(key);
    if (group) group.changes.push(change);
    else groups.set(key, { space: change.space, changes: [change] });
  }
  return new Map([...groups.values()].map((group) => [group.space, group.changes]));
}
