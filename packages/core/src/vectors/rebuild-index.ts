import type { ChangeLog } from './change-log.ts';
import { indexChanges, type IndexChangesDeps, type IndexWriter } from './index-changes.ts';
import type { IndexSource } from './index-source.ts';
import type { VectorIndex, VectorIndexDraft, VectorPoint, VectorSpace } from './vector-index.ts';

const PAGE = 2000;

export interface RebuildDeps {
  readonly source: Pick<IndexSource, 'spaces' | 'scan' | 'points'>;
  readonly changeLog: ChangeLog;
  readonly index: Pick<VectorIndex, 'state' | 'begin' | 'upsert' | 'remove'>;
}

type FillDeps = IndexChangesDeps & Pick<RebuildDeps, 'source'>;

interface PointsOfSpace {
  readonly space: VectorSpace;
  readonly points: readonly VectorPoint[];
}

export interface RebuildRun {
  /** Told how many points the draft has so far. */
  readonly progressed?: (points: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Makes the index anew from the rows, beside what answers meanwhile, and has it answer then; answers
 * how many points it was filled with. Null: the reader was forgotten or registered anew meanwhile, so
 * that this is to be done again. If it fails or is ended, the index is what it was. One process at a
 * time does this for one index.
 *
 * Why nothing gets lost, whatever others write meanwhile:
 *
 * - A change that was committed before the scan of its space began is read by it. One that commits
 *   later is noted, because the reader is registered before; it comes to the draft from there.
 * - A page of the scan may be older than a change that commits while the page is on its way. Pages and
 *   changes come to the draft one after the other, and a change is read from the rows when its turn
 *   comes: so what is written last of an entity is never older than what was written before.
 * - A change is forgotten when the draft has it, and the index that answers meanwhile, if there is
 *   one. So what a search reads as the tail, and then finds in whichever of the two answers it, is
 *   everything.
 * - What is noted between the last look and {@link VectorIndexDraft.publish} stays noted: it is the
 *   tail of the new index.
 * - An index that does not serve is made anew without its old notes, which the scan makes superfluous.
 *   Matching does not use it before it is filled. One that serves keeps its registration and notes.
 * - A crash between publishing and {@link ChangeLog.filled} leaves a complete index that matching does
 *   not use, or that serves as before; the next try makes it anew.
 *
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
    // Where even that fails, the next draft takes it away.
    await draft.discard().catch(() => undefined);
    throw error;
  }
}

/** Whether matching uses the index, which then has to be told of changes while the draft is filled. */
async function isServing(
  { changeLog, index }: RebuildDeps,
  signal?: AbortSignal,
): Promise<boolean> {
  const reader = await changeLog.state(signal);
  if (reader === 'missing' || reader === 'unfilled') return false;
  return (await index.state(signal)) === 'ready';
}

/**
 * Brings all rows to the draft, and what changes to all who are told of it: after each page, so that
 * the tail stays short.
 */
async function fill(
  told: FillDeps,
  draft: VectorIndexDraft,
  { progressed, signal }: RebuildRun,
): Promise<number> {
  let filled = 0;
  for await (const { space, points } of pagesOf(told.source, signal)) {
    await draft.upsert(space, points, signal);
    filled += points.length;
    progressed?.(filled);
    while (await indexChanges(told, signal));
  }
  while (await indexChanges(told, signal));
  return filled;
}

async function* pagesOf(
  source: FillDeps['source'],
  signal?: AbortSignal,
): AsyncGenerator<PointsOfSpace> {
  for (const space of await source.spaces(signal)) {
    for (let after: number | null = 0; after !== null;) {
      const points = await source.scan(space, { after, limit: PAGE }, signal);
      if (points.length > 0) yield { space, points };
      after = points.length === PAGE ? points.at(-1)!.id : null;
    }
  }
}

/** The one after the other: a write that fails leaves none behind that is still on its way. */
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
