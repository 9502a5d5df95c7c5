import type { MediaStore } from '../media/media-store.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import type { VectorIndex } from '../vectors/vector-index.ts';
import type { EnvironmentEraser } from './environment-eraser.ts';

/** How long an environment has its turn, in ms. Then the next environment has its turn. */
const TURN_MS = 1_000;
/** The number of files that are removed at once. */
const BATCH = 1_000;

export interface DeleteEnvironmentsDeps {
  readonly eraser: EnvironmentEraser;
  readonly media: Pick<MediaStore, 'list' | 'remove'>;
  readonly vectors: Pick<VectorIndex, 'dropEnvironment'>;
}

/**
 * Gives each environment whose deletion was requested a turn. A deletion continues with what is there, so any process may
 * take the next turn after a crash. After a failure the next environments still have their turns.
 *
 * @returns whether any of them may have more to do now
 * @throws StoreUnavailable; AggregateError of other failures; the signal's reason on abort
 */
export async function deleteEnvironments(
  deps: DeleteEnvironmentsDeps,
  signal?: AbortSignal,
): Promise<boolean> {
  let more = false;
  const failures: unknown[] = [];
  for (const environmentId of await deps.eraser.pending(signal)) {
    try {
      if (await takeTurn(deps, environmentId, signal)) more = true;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof StoreUnavailable) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Some deletions of environments have failed.');
  }
  return more;
}

/** The step after a turn, or the reason why the deletion has to wait. */
type Turn = 'more' | 'waits' | 'ended';

async function takeTurn(
  deps: DeleteEnvironmentsDeps,
  environmentId: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const rows = await deleteRows(deps.eraser, environmentId, signal);
  if (rows !== 'ended') return rows === 'more';
  return (await deleteRest(deps, environmentId, signal)) === 'more';
}

/** Deletes rows until the end of the turn. */
async function deleteRows(
  eraser: EnvironmentEraser,
  environmentId: number,
  signal?: AbortSignal,
): Promise<Turn> {
  const until = performance.now() + TURN_MS;
  let cleared: number | null = 0;
  do {
    const progress = await eraser.deleteRows(environmentId, cleared, signal);
    if (progress === null) return 'waits';
    cleared = progress.cleared;
  } while (cleared !== null && performance.now() < until);
  return cleared === null ? 'ended' : 'more';
}

/**
 * Removes files and points, after the rows that refer to them. A request that was accepted before the deletion may have
 * stored files since; it removes them when its transaction fails.
 */
async function deleteRest(
  { eraser, media, vectors }: DeleteEnvironmentsDeps,
  environmentId: number,
  signal?: AbortSignal,
): Promise<Turn> {
  if (await removeFiles(media, environmentId, signal)) return 'more';
  if (await eraser.isIndexed(environmentId, signal)) return 'waits';
  // Indexes have removed the points of all rows. A point without a row is left only in an index that has drifted.
  await vectors.dropEnvironment(environmentId, signal);
  return (await eraser.end(environmentId, signal)) ? 'ended' : 'more';
}

/** Removes files until the end of the turn. Returns whether any may be left. */
async function removeFiles(
  media: Pick<MediaStore, 'list' | 'remove'>,
  environmentId: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + TURN_MS;
  let found = false;
  let batch: string[] = [];
  for await (const { key } of media.list(`${environmentId}/`, signal)) {
    found = true;
    batch.push(key);
    if (batch.length < BATCH) continue;
    await media.remove(batch, signal);
    batch = [];
    if (performance.now() > until) return true;
  }
  if (batch.length > 0) await media.remove(batch, signal);
  return found;
}
