import type { Database, Transaction } from '../../database/database.ts';
import type { BulkDetectionsParams } from '../../jobs/job.ts';
import { discardFiles } from '../../media/discard-files.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { Scope } from '../../store/scope.ts';
import type { ActOnFaceDeps } from '../act-on-face.ts';
import { actOnEach } from '../act-on-each.ts';
import type { Condition } from '../condition.ts';
import { dismissIn } from '../dismiss-faces.ts';
import { removeDetections } from '../remove-detections.ts';
import { type BulkTally, RunningTally, stepOf, withStep } from './bulk-tally.ts';

/**
 * The number of detections of one transaction. A crash undoes at most this many, and other writers wait for at most this
 * many.
 */
const CHUNK = 20;

export interface BulkDetectionsDeps extends ActOnFaceDeps {
  readonly database: Database;
  readonly media: Pick<MediaStore, 'remove'>;
}

export interface BulkRun {
  readonly scope: Scope;
  readonly params: BulkDetectionsParams;
  /** The chosen detections, by ascending id. */
  readonly ids: readonly number[];
  /** The counters and failures before this run. */
  readonly tally: BulkTally;
  /** The id of the last detection that was dealt with; null at the beginning. */
  readonly workedTo: number | null;
}

export interface BulkTools {
  readonly signal: AbortSignal;
  /** Stores how far the work has got, in the transaction of its effect. */
  readonly advance: (
    tx: Transaction,
    step: { readonly tally: BulkTally; readonly workedTo: number },
  ) => Promise<void>;
}

/**
 * Carries out one action on chosen detections, by ascending id, in small transactions. A detection that the
 * filter does not match any more when its turn comes is left out.
 *
 * @throws StoreUnavailable, InferenceUnavailable; the errors of `advance`; the signal's reason on abort
 */
export async function runBulkDetections(
  deps: BulkDetectionsDeps,
  { scope, params, ids, tally: before, workedTo }: BulkRun,
  tools: BulkTools,
): Promise<BulkTally> {
  const left = ids.filter((id) => id > (workedTo ?? 0));
  let tally = before;
  for (let start = 0; start < left.length; start += CHUNK) {
    tools.signal.throwIfAborted();
    const chunk = { scope, params, tally, ids: left.slice(start, start + CHUNK) };
    tally = await (params.action === 'move' ? move : remove)(deps, chunk, tools);
  }
  return tally;
}

interface Chunk {
  readonly scope: Scope;
  readonly params: BulkDetectionsParams;
  readonly tally: BulkTally;
  readonly ids: readonly number[];
}

/** Moves detections to an identity. Those that another caller has moved since their ids were read are left out. */
async function move(
  deps: BulkDetectionsDeps,
  { scope, params, tally, ids }: Chunk,
  { signal, advance }: BulkTools,
): Promise<BulkTally> {
  if (params.action !== 'move') throw new Error('The job moves nothing.');
  const { identityId } = params;
  const tasks = ids.map((id) => ({ id, target: { identityId } }));
  const condition: Condition = async ({ detections }, some) =>
    (await detections.matchingOf(some, params.where)).map(({ id }) => id);
  const running = new RunningTally(tally);
  await actOnEach(
    deps,
    { scope, action: 'relabel', tasks, condition },
    {
      signal,
      settleGroup: (tx, { group, outcomes }) => {
        const now = running.with(group, stepOf(group, outcomes));
        return advance(tx, { tally: now, workedTo: group.at(-1)!.id });
      },
    },
  );
  return running.latest;
}

/** Deletes or dismisses detections. */
async function remove(
  { database, media }: BulkDetectionsDeps,
  { scope, params, tally, ids }: Chunk,
  { signal, advance }: BulkTools,
): Promise<BulkTally> {
  const { files, after } = await database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      await lockImages(tx, ids);
      // No other writer changes these detections until the end of the transaction.
      const found = await tx.detections.matchingOf(ids, params.where);
      const foundIds = found.map(({ id }) => id);
      let files: readonly string[] = [];
      if (params.action === 'dismiss') {
        await dismissIn(tx, { ids: foundIds, action: 'dismiss' });
      } else if (foundIds.length > 0) {
        ({ files } = await removeDetections(tx, found));
        await tx.audit({ entity: 'detection', action: 'delete', ids: foundIds });
      }
      const leftOut = ids.length - found.length;
      const after = withStep(tally, { processed: found.length, errors: [], leftOut });
      await advance(tx, { tally: after, workedTo: ids.at(-1)! });
      return { files, after };
    },
    signal,
  );
  await discardFiles(media, files);
  return after;
}

async function lockImages(tx: Transaction, ids: readonly number[]): Promise<void> {
  const detections = await tx.detections.byIds(ids);
  const sources = await tx.sources.byIds([...new Set(detections.map((d) => d.sourceImageId))]);
  tx.require(...sources.map(({ digest }) => ({ entity: 'source' as const, digest })));
}
