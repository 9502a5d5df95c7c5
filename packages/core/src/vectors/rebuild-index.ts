import type { ChangeLog } from './change-log.ts';
import { isComparable } from './is-comparable.ts';
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
  /** Called with the number of points in the draft after each page. */
  readonly progressed?: (points: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Rebuilds the index from the database. It fills a draft while the current index stays available, and then replaces the
 * index by the draft. If it fails or is aborted, the index is unchanged. Only one process at a time may rebuild an
 * index.
 *
 * No concurrent write is lost, for these reasons:
 *
 * - The scan reads every change that committed before the scan of its kind. Later changes reach the draft as pending
 *   changes, because the reader was registered before the scan.
 * - A page of the scan may be older than a change that commits while the page is read. Pages and changes are written to
 *   the draft one after the other, and a change writes the current row, so the newest row is written last.
 * - A change is acknowledged only after the draft and the current index have applied it. A search is therefore complete
 *   if it uses one of the two indexes and the pending changes.
 * - A change that is recorded between the last read and {@link VectorIndexDraft.publish} stays pending for the new
 *   index.
 * - If the current index is not available, the reader is registered again, which drops its pending changes. The scan
 *   reads these changes, and matching does not use the index before it is filled.
 * - A crash between {@link VectorIndexDraft.publish} and {@link ChangeLog.filled} leaves a complete index. The next
 *   attempt rebuilds it if matching does not use it.
 *
 * @returns the number of points; null if the reader was removed or registered again meanwhile, so that the caller has
 *   to repeat the rebuild
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
    const changes = { ...deps, index: serves ? inTurn(draft, index) : draft };
    const points = await fill(changes, draft, { progressed, signal });
    await draft.publish(signal);
    return (await changeLog.filled(signal)) ? points : null;
  } catch (error) {
    // A failed discard is ignored, because the next draft replaces this one anyway.
    await draft.discard().catch(() => undefined);
    throw error;
  }
}

/** Whether matching uses the current index, so that changes must reach it while the draft is filled. */
async function isServing(
  { changeLog, index }: RebuildDeps,
  signal?: AbortSignal,
): Promise<boolean> {
  const reader = await changeLog.state(signal);
  if (reader === 'missing' || reader === 'unfilled') return false;
  return (await index.state(signal)) === 'ready';
}

/** Writes all rows to the draft. After each page, it applies the pending changes, so that only few are pending. */
async function fill(
  deps: FillDeps,
  draft: VectorIndexDraft,
  { progressed, signal }: RebuildRun,
): Promise<number> {
  let filled = 0;
  for await (const page of pagesOf(deps.source, signal)) {
    for (const { space, points } of bySpace(page)) {
      const comparable = points.filter((point) => isComparable(point, space.dimension));
      if (comparable.length > 0) await draft.upsert(space, comparable, signal);
    }
    filled += page.length;
    progressed?.(filled);
    while (await indexChanges(deps, signal));
  }
  while (await indexChanges(deps, signal));
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

/** Writes to the writers one after the other, so that no write is in flight when one fails. */
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
