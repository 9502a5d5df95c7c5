import type { ChangeLog, VectorChange } from './change-log.ts';
import type { IndexSource } from './index-source.ts';
import type { VectorIndex, VectorSpace } from './vector-index.ts';

/** An index and its source. */
export interface IndexDeps {
  readonly source: IndexSource;
  /** The change log of the reader that the index belongs to. */
  readonly changeLog: ChangeLog;
  readonly index: VectorIndex;
}

/** The target of the changes: an index or a draft of one. */
export type IndexWriter = Pick<VectorIndex, 'upsert' | 'remove'>;

export interface IndexChangesDeps {
  readonly source: Pick<IndexSource, 'points'>;
  readonly changeLog: Pick<ChangeLog, 'changes' | 'acknowledge' | 'note'>;
  readonly index: IndexWriter;
}

const BATCH = 1000;

/**
 * Applies the oldest changes to the index: each entity as the database has it now, not as it was when
 * the change was noted. Changes that are noted during the call stay for the next one. Answers whether
 * more may be pending.
 *
 * One process at a time does this for one index. If the previous holder of the lease was only paused,
 * two processes do, and the slower one may overwrite a newer point with an older one. Each writes
 * before it acknowledges, and each has read its changes before the other wrote: so both had the change
 * of that entity, and the one that acknowledges last finds it gone. It notes the change again, and the
 * entity is read once more. If that process crashes in between, the comparison of the whole index
 * repairs it.
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
  const points = await source.points(space, ids, signal);
  const present = new Set(points.map(({ id }) => id));
  const gone = ids.filter((id) => !present.has(id));
  if (points.length > 0) await index.upsert(space, points, signal);
  if (gone.length > 0) await index.remove(space, gone, signal);
  const forgotten = await changeLog.acknowledge(changes);
  if (forgotten < changes.length) await changeLog.note(space, ids);
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
