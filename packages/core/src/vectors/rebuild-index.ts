import type { ChangeLog } from './change-log.ts';
import { indexChanges, type IndexChangesDeps, type IndexWriter } from './index-changes.ts';
import {
  FIRST_POINT,
  type IndexSource,
  type PlacedPoint,
  type PointPosition,
} from './index-source.ts';
import type {
  VectorIndex,
  VectorIndexDraft,
  VectorKind,
  VectorPoint,
  VectorSpace,
} from './vector-index.ts';

const PAGE = 2000;
const KINDS: readonly VectorKind[] = ['faces', 'references', 'means'];

export interface RebuildDeps {
  readonly source: Pick<IndexSource, 'scan' | 'points'>;
  readonly changeLog: ChangeLog;
  readonly index: Pick<VectorIndex, 'state' | 'begin' | 'upsert' | 'remove'>;
}

type FillDeps = IndexChangesDeps & Pick<RebuildDeps, 'source'>;

interface PointsOfSpace {
  readonly space: VectorSpace;
  readonly points: readonly VectorPoint[];
}

export interface RebuildRun {
  /** Called with the number of points in the draft. */
  readonly progressed?: (points: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Rebuilds the index from the rows in a draft, while the current index keeps answering, then replaces
 * it by the draft. Answers the number of points. Null: the reader was removed or registered again
 * during the rebuild, which has to be repeated. If it fails or is aborted, the index stays as it was.
 * One process at a time does this for one index.
 *
 * Why no concurrent write is lost:
 * - A change that committed before the scan of its kind began is read by the scan. A later one is
 *   noted, because the reader was registered before, and reaches the draft as a pending change.
 * - A page of the scan may be older than a change that commits while the page is in flight. Pages and
 *   changes are written to the draft one at a time, and a change is read from the rows at its turn:
 *   so the last write of an entity is never older than an earlier one.
 * - A change is acknowledged only when the draft and the current index, if any, both have it. So
 *   pending changes and either of the two indexes together are complete for a search.
 * - A change that is noted between the last read and {@link VectorIndexDraft.publish} stays pending
 *   for the new index.
 * - An index that does not answer is registered again without its old pending changes, which the scan
 *   covers. Matching does not use it before it is filled. One that answers keeps both.
 * - A crash between publishing and {@link ChangeLog.filled} leaves a complete index that matching does
 *   not use, or that answers as before; the next attempt rebuilds it.
 * @throws StoreUnavailable, VectorsUnavailable; the signal's reason on abort
 */
export async function rebuildIndex(
  deps: RebuildDeps,
  { progressed, signal }: RebuildRun = {},
): Promise<number | null> {
  const { changeLog, index } = deps;
  const serves = await isServing(deps, signal);
  if (!serves) await changeLog.follow(signal);
  const draft = await index.begin(signal);
  try {
    const told = { ...deps, index: serves ? inTurn(draft, index) : draft };
    const points = await fill(told, draft, { progressed, signal });
    await draft.publish(signal);
    return (await changeLog.filled(signal)) ? points : null;
  } catch (error) {
    // If that fails too, the next draft removes it.
    await draft.discard().catch(() => undefined);
    throw error;
  }
}

/** Whether matching uses the index, so that changes must reach it while the draft is filled. */
async function isServing(
  { changeLog, index }: RebuildDeps,
  signal?: AbortSignal,
): Promise<boolean> {
  const reader = await changeLog.state(signal);
  if (reader === 'missing' || reader === 'unfilled') return false;
  return (await index.state(signal)) === 'ready';
}

/**
 * Writes all rows to the draft, and after each page the pending changes to the draft and the current
 * index, so that few changes are pending.
 */
async function fill(
  told: FillDeps,
  draft: VectorIndexDraft,
  { progressed, signal }: RebuildRun,
): Promise<number> {
  let filled = 0;
  for await (const page of pagesOf(told.source, signal)) {
    for (const { space, points } of bySpace(page)) await draft.upsert(space, points, signal);
    filled += page.length;
    progressed?.(filled);
    while (await indexChanges(told, signal));
  }
  while (await indexChanges(told, signal));
  return filled;
}

async function* pagesOf(
  source: FillDeps['source'],
  signal?: AbortSignal,
): AsyncGenerator<readonly PlacedPoint[]> {
  for (const kind of KINDS) {
    for (let after: PointPosition | null = FIRST_POINT; after !== null;) {
      const page: readonly PlacedPoint[] = await source.scan(kind, { after, limit: PAGE }, signal);
      if (page.length > 0) yield page;
      after = page.length === PAGE ? positionOf(page.at(-1)!) : null;
    }
  }
}

function positionOf({ space, point }: PlacedPoint): PointPosition {
  return { environmentId: space.environmentId, id: point.id, modelId: space.modelId };
}

function bySpace(page: readonly PlacedPoint[]): readonly PointsOfSpace[] {
  const groups = Map.groupBy(page, ({ space }) => `${space.environmentId}/${space.modelId}`);
  return [...groups.values()].map((group) => ({
    space: group[0]!.space,
    points: group.map(({ point }) => point),
  }));
}

/** Writes one after the other: when one fails, no other is in flight. */
function inTurn(...writers: readonly IndexWriter[]): IndexWriter {
  return {
    upsert: async (...call) => {
      for (const writer of writers) await writer.upsert(...call);
    },
    remove: async (...call) => {
      for (const writer of writers) await writer.remove(...call);
    },
  };
}
