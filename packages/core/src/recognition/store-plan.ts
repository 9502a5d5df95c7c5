import { isDeepStrictEqual } from 'node:util';
import type { Database, Stores, Transaction } from '../database/database.ts';
import { isRolledBack } from '../database/is-rolled-back.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { RowsPlan } from './plan/image-plan.ts';
import { FileNotPut, ImageFiles } from './run/image-files.ts';
import type { StorableRun } from './run/image-run.ts';

export interface StorePlanDeps {
  readonly database: Database;
  readonly media: MediaStore;
}

/** How one kind of run is planned and written. */
export interface PlanSteps<Plan extends RowsPlan, Answer> {
  /** Reads the state that the first plan rests on. */
  readonly read: (stores: Stores) => Promise<Plan['state']>;
  /** Reads all of it again, under the locks. */
  readonly reread: (tx: Transaction) => Promise<Plan['state']>;
  /** Decides what the run changes. May throw. */
  readonly plan: (state: Plan['state']) => Plan;
  /**
   * Makes from the first plan, outside of transactions, the values that the write needs besides it.
   */
  readonly prepare?: (plan: Plan) => Promise<void>;
  readonly write: (tx: Transaction, plan: Plan, files: ImageFiles) => Promise<Answer>;
}

/**
 * Plans what a run changes and writes it, in these steps:
 *
 * 1. read the state;
 * 2. plan, which names the files and the locks;
 * 3. put the files;
 * 4. in one transaction, under the locks: read the whole state again, plan again if it differs, write;
 * 5. remove the files that no row refers to any more.
 *
 * @throws StoreUnavailable; what the steps throw
 */
export async function storePlan<Plan extends RowsPlan, Answer>(
  deps: StorePlanDeps,
  { run, steps }: { readonly run: StorableRun; readonly steps: PlanSteps<Plan, Answer> },
  signal?: AbortSignal,
): Promise<Answer> {
  const state = await deps.database.withScope(run.scope, steps.read, signal);
  const expected = steps.plan(state);
  await steps.prepare?.(expected);
  const files = new ImageFiles(deps.media, run);
  try {
    await files.put(expected.files, signal);
    const { answer, plan } = await commit(deps.database, { expected, files, steps }, signal);
    await files.discardExcept(new Set(plan.files));
    await discardFiles(
      deps.media,
      plan.removed.map(({ cropKey }) => cropKey),
    );
    return answer;
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw error.cause;
    await files.discardExcept(new Set());
    throw error;
  }
}

/** The database did not say whether the commit succeeded: rows may refer to the files. */
class OutcomeUnknown extends Error {}

interface Prepared<Plan extends RowsPlan, Answer> {
  readonly expected: Plan;
  readonly files: ImageFiles;
  readonly steps: PlanSteps<Plan, Answer>;
}

async function commit<Plan extends RowsPlan, Answer>(
  database: Database,
  { expected, files, steps }: Prepared<Plan, Answer>,
  signal?: AbortSignal,
): Promise<{ readonly answer: Answer; readonly plan: Plan }> {
  const scope = { ...expected.run.scope, locks: firstLocks(expected) };
  let plan = expected;
  const write = async (tx: Transaction) => {
    const state = await steps.reread(tx);
    // A plan is valid while the state that it rests on stays the same.
    if (!isDeepStrictEqual(state, plan.state)) plan = steps.plan(state);
    return { answer: await steps.write(tx, plan, files), plan };
  };
  try {
    return await database.withEntities(scope, write, signal);
  } catch (error) {
    if (!(error instanceof FileNotPut)) throw known(error);
  }
  // Another request removed stored detections that the run had found again, so they are new now. Or
  // the process was paused until the files may have been collected.
  await files.putAll(signal);
  try {
    return await database.withEntities(scope, write, signal);
  } catch (error) {
    throw known(error);
  }
}

/**
 * The plan's locks. If the image already has detections, only those of the model and the image: the
 * latter serializes all writers of this image, and the plan made under it requests the rest.
 */
function firstLocks({ state, locks }: RowsPlan): readonly EntityLock[] {
  return state.detections.length === 0
    ? locks
    : locks.filter(({ entity }) => entity === 'model' || entity === 'source');
}

function known(error: unknown): unknown {
  return isRolledBack(error) ? error : new OutcomeUnknown('', { cause: error });
}
