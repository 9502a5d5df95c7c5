import { isDeepStrictEqual } from 'node:util';
import type { Database, Transaction } from '../database/database.ts';
import { isRolledBack } from '../database/is-rolled-back.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { ImagePlan } from './plan/image-plan.ts';
import { filesOfPlan, locksOfPlan, planImage } from './plan/plan-image.ts';
import type { ImageResult } from './result/image-result.ts';
import { writeForSuccessor } from './result/write-for-successor.ts';
import { writeImage } from './result/write-image.ts';
import type { SuccessorVectors } from './embed-for-successor.ts';
import { FileNotPut, ImageFiles } from './run/image-files.ts';
import { type ImageRun, storedModel } from './run/image-run.ts';
import type { StoredImage } from './state/image-state.ts';
import { readImageState } from './state/read-image-state.ts';

export interface StoreImageDeps {
  readonly database: Database;
  readonly media: MediaStore;
}

/** What a use case adds to the storing of an image. */
export interface StoreImageSteps<Answer> {
  /** Looks at each plan that is made: before anything is put, and under the locks. May throw. */
  readonly check?: (plan: ImagePlan) => void;
  /** Embeds what the plan stores by another face model as well. Absent: the run embeds nothing. */
  readonly embed?: (plan: ImagePlan) => Promise<SuccessorVectors | null>;
  /** The last step of the transaction. */
  readonly finish: (tx: Transaction, plan: ImagePlan, result: ImageResult) => Promise<Answer>;
  readonly signal?: AbortSignal;
}

/**
 * Stores what was found in an image, in these steps:
 *
 * 1. read the rest of the state (`state/`): what the plan needs besides the stored image;
 * 2. plan (`plan/`), which names the files and the locks;
 * 3. embed by a coming face model what the plan stores, and put the files;
 * 4. in one transaction, under the locks: read the whole state again, plan again if it differs, and
 *    write the result (`result/`);
 * 5. remove the files that no row refers to any more.
 *
 * @param prepared the run, and what was stored of its image when it began
 * @throws NotFound, TypeMismatch for the named identity; StoreUnavailable; what the steps throw
 */
export async function storeImage<Answer>(
  deps: StoreImageDeps,
  { run, stored }: { readonly run: ImageRun; readonly stored: StoredImage },
  steps: StoreImageSteps<Answer>,
): Promise<Answer> {
  const { signal } = steps;
  const state = await deps.database.withScope(
    run.scope,
    (stores) => readImageState(stores, run, stored),
    signal,
  );
  const expected = planImage(run, state);
  steps.check?.(expected);
  const successor = (await steps.embed?.(expected)) ?? null;
  const files = new ImageFiles(deps.media, run);
  try {
    await files.put(filesOfPlan(expected), signal);
    const { answer, plan } = await commit(deps.database, { expected, files, successor }, steps);
    await discardLeftovers(deps.media, files, plan);
    return answer;
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw error.cause;
    await files.discardExcept(new Set());
    throw error;
  }
}

/** The database did not say whether the commit succeeded: rows may refer to the files. */
class OutcomeUnknown extends Error {}

interface Prepared {
  readonly expected: ImagePlan;
  readonly files: ImageFiles;
  /** Null: there are none. */
  readonly successor: SuccessorVectors | null;
}

interface Committed<Answer> {
  readonly answer: Answer;
  readonly plan: ImagePlan;
}

async function commit<Answer>(
  database: Database,
  { expected, files, successor }: Prepared,
  steps: StoreImageSteps<Answer>,
): Promise<Committed<Answer>> {
  const { run } = expected;
  const scope = { ...run.scope, locks: firstLocks(expected) };
  let plan = expected;
  const write = async (tx: Transaction): Promise<Committed<Answer>> => {
    const model = storedModel(run);
    const [state] = await Promise.all([
      readImageState(tx, run),
      model === null ? null : tx.requireCounting(model.id),
    ]);
    // A plan holds as long as all that it rests on is the same.
    if (!isDeepStrictEqual(state, plan.state)) {
      plan = planImage(run, state);
      steps.check?.(plan);
    }
    const result = await writeImage(tx, plan, files);
    if (successor !== null) await writeForSuccessor(tx, plan, { result, successor });
    return { answer: await steps.finish(tx, plan, result), plan };
  };
  try {
    return await database.withEntities(scope, write, steps.signal);
  } catch (error) {
    if (!(error instanceof FileNotPut)) throw known(error);
  }
  // Another request removed stored detections that these faces or objects were: they are new now. Or
  // the process was paused so long that the files may have been collected.
  await files.putAll(steps.signal);
  try {
    return await database.withEntities(scope, write, steps.signal);
  } catch (error) {
    throw known(error);
  }
}

/**
 * The plan's locks. If the image already has detections, only those of the model and the image: the
 * latter serializes all writers of this image, and the plan made under it requests the rest.
 */
function firstLocks(expected: ImagePlan): readonly EntityLock[] {
  const locks = locksOfPlan(expected);
  return expected.state.detections.length === 0
    ? locks
    : locks.filter(({ entity }) => entity === 'model' || entity === 'source');
}

function known(error: unknown): unknown {
  return isRolledBack(error) ? error : new OutcomeUnknown('', { cause: error });
}

async function discardLeftovers(
  media: MediaStore,
  files: ImageFiles,
  plan: ImagePlan,
): Promise<void> {
  await files.discardExcept(new Set(filesOfPlan(plan)));
  await discardFiles(
    media,
    plan.removed.map(({ cropKey }) => cropKey),
  );
}
