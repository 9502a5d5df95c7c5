import { DomainError } from '../../domain-error.ts';
import { discardFiles } from '../../media/discard-files.ts';
import type { MediaStore } from '../../media/media-store.ts';
import type { Database, Stores, Transaction } from '../../database/database.ts';
import type { EntityLock } from '../../store/entity-lock.ts';
import { StoreUnavailable } from '../../store/store-errors.ts';
import { FileNotPut, ImageFiles } from './image-files.ts';
import type { ImageRun } from './image-run.ts';
import { readImageState } from './image-state.ts';
import { locksOf, planImage, type PlannedImage } from './plan-image.ts';
import { filesOfPlan, writeImage } from './write-image.ts';
import type { WrittenImage } from './written-image.ts';

export interface StoreImageDeps {
  readonly database: Database;
  readonly media: MediaStore;
  /** Told when the index has something to take over. */
  readonly indexer?: { nudge(): void };
}

/** What a use case adds to the storing of an image. */
export interface StoreImageSteps<Result> {
  /** Runs before anything is put or written, and again in the transaction; may throw. */
  readonly check?: (planned: PlannedImage) => void;
  /** The last step of the transaction. */
  readonly finish: (
    tx: Transaction,
    planned: PlannedImage,
    written: WrittenImage,
  ) => Promise<Result>;
  readonly signal?: AbortSignal;
}

/**
 * Stores what was found in an image: files first, then all rows in one transaction. The plan is made
 * before, to know which files and locks it takes, and again in the transaction, where it holds.
 *
 * @throws NotFound, TypeMismatch for the named identity; StoreUnavailable; what the steps throw
 */
export async function storeImage<Result>(
  deps: StoreImageDeps,
  run: ImageRun,
  steps: StoreImageSteps<Result>,
): Promise<Result> {
  const { signal } = steps;
  const expected = await deps.database.withScope(run.scope, (stores) => plan(stores, run), signal);
  steps.check?.(expected);
  const files = new ImageFiles(deps.media, run);
  try {
    await files.put(filesOfPlan(expected), signal);
    const { result, planned } = await commit(deps.database, { expected, files }, steps);
    deps.indexer?.nudge();
    await discardLeftovers(deps.media, files, planned);
    return result;
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw error.cause;
    await files.discardExcept(new Set());
    throw error;
  }
}

/** The database did not say whether it has committed: rows may refer to the files. */
class OutcomeUnknown extends Error {}

interface Committed<Result> {
  readonly result: Result;
  readonly planned: PlannedImage;
}

async function commit<Result>(
  database: Database,
  prepared: { readonly expected: PlannedImage; readonly files: ImageFiles },
  steps: StoreImageSteps<Result>,
): Promise<Committed<Result>> {
  const { run } = prepared.expected;
  const scope = { ...run.scope, locks: firstLocks(prepared.expected) };
  const write = async (tx: Transaction): Promise<Committed<Result>> => {
    const planned = await plan(tx, run);
    steps.check?.(planned);
    const written = await writeImage(tx, planned, prepared.files);
    return { result: await steps.finish(tx, planned, written), planned };
  };
  try {
    return await database.withEntities(scope, write, steps.signal);
  } catch (error) {
    if (!(error instanceof FileNotPut)) throw known(error);
  }
  // Somebody removed meanwhile what these findings would have been: they are new ones now.
  await prepared.files.putAll(steps.signal);
  try {
    return await database.withEntities(scope, write, steps.signal);
  } catch (error) {
    throw known(error);
  }
}

/**
 * Those of the plan, but where detections are stored that others may change at the same time: then
 * the image's alone, behind which all that come for it take turns; the plan made there asks for more.
 */
function firstLocks(expected: PlannedImage): readonly EntityLock[] {
  const locks = locksOf(expected);
  return expected.state.detections.length === 0
    ? locks
    : locks.filter(({ entity }) => entity === 'source');
}

function known(error: unknown): unknown {
  const isRefusal = error instanceof DomainError && !(error instanceof StoreUnavailable);
  return isRefusal ? error : new OutcomeUnknown('', { cause: error });
}

async function plan(stores: Stores, run: ImageRun): Promise<PlannedImage> {
  const state = await readImageState(stores, run);
  return { run, state, plan: planImage(run, state) };
}

async function discardLeftovers(
  media: MediaStore,
  files: ImageFiles,
  planned: PlannedImage,
): Promise<void> {
  const needed = new Set(filesOfPlan(planned).map((name) => files.get(name).key));
  await files.discardExcept(needed);
  await discardFiles(
    media,
    planned.plan.removed.map(({ cropKey }) => cropKey),
  );
}
