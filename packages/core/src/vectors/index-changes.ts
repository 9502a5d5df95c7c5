import type { ChangeLog, VectorChange } from './change-log.ts';
import type { IndexSource } from './index-source.ts';
import type { VectorIndex, VectorSpace } from './vector-index.ts';

/** An index and what it is made from. */
export interface IndexDeps {
  readonly source: IndexSource;
  /** Of the reader whose index it is. */
  readonly changeLog: ChangeLog;
  readonly index: VectorIndex;
}

/** What changes are brought to: an index, or what stands for one. */
export type IndexWriter = Pick<VectorIndex, 'upsert' | 'remove'>;

export interface IndexChangesDeps {
  readonly source: Pick<IndexSource, 'points'>;
  readonly changeLog: Pick<ChangeLog, 'changes' | 'acknowledge' | 'note'>;
  readonly index: IndexWriter;
}

const BATCH = 1000;

/**
 * Brings the oldest changes to the index: each entity as the database knows it now, not as it was
 * when the change was noted. Changes that are noted meanwhile stay for the next time. Answers whether
 * more may wait.
 *
 * One process at a time does this for one index. Should two, because the former holder of a lease was
 * only paused, then the slower one may put back what the other has replaced. It writes before it
 * acknowledges, and the other one read its changes before it wrote: so both had the change of that
 * entity, and whoever acknowledges last finds that it is gone. He notes it again, and the entity is
 * read once more. If he dies in between, the comparison of the whole index finds it.
 *
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
