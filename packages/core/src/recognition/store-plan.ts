import { isDeepStrictEqual } from 'node:util';
import type { ByteGate } from '../concurrency/byte-gate.ts';
import type { Database, Stores, Transaction } from '../database/database.ts';
import { isRolledBack } from '../database/is-rolled-back.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { RowsPlan } from './plan/image-plan.ts';
import { FileNotPut, ImageFiles } from './run/image-files.ts';
import type { StorableRun } from './run/image-run.ts';

export interface StorePlanDeps {
  readonly database: Database;
  readonly media: MediaStore;
  /** The memory for files that are read to be stored; absent if all files are in memory already. */
  readonly fileMemory?: ByteGate | undefined;
}

export interface PlanSteps<Plan extends RowsPlan, Answer> {
  /** Reads the state for the first plan. A caller that knows the state gives it instead. */
  readonly read: Plan['state'] | ((stores: Stores) => Promise<Plan['state']>);
  /** Reads the whole state again in the writing transaction. */
  readonly reread: (tx: Transaction) => Promise<Plan['state']>;
  /** Decides which rows and files the run changes. It may throw. */
  readonly plan: (state: Plan['state']) => Plan;
  /** Computes values for `write` outside of transactions, once after the first plan. */
  readonly prepare?: (plan: Plan) => Promise<void>;
  readonly write: (tx: Transaction, plan: Plan, files: ImageFiles) => Promise<Answer>;
}

/**
 * Plans and writes the changes of a run, in these steps:
 *
 * 1. Read the state.
 * 2. Make a plan, which contains the files and the locks.
 * 3. Store the files.
 * 4. In one transaction that holds the locks, read the state again, repeat the plan if the state differs, and write.
 * 5. Remove the files that are no longer needed.
 *
 * @throws StoreUnavailable; the errors of the steps
 */
export async function storePlan<Plan extends RowsPlan, Answer>(
  deps: StorePlanDeps,
  { run, steps }: { readonly run: StorableRun; readonly steps: PlanSteps<Plan, Answer> },
  signal?: AbortSignal,
): Promise<Answer> {
  const { read } = steps;
  const state =
    typeof read === 'function' ? await deps.database.withScope(run.scope, read, signal) : read;
  const expected = steps.plan(state);
  await steps.prepare?.(expected);
  const files = new ImageFiles(deps.media, run, deps.fileMemory);
  try {
    await files.put(expected.files, signal);
    const { answer, plan } = await commit(deps.database, { expected, files, steps }, signal);
    await files.discardExcept(new Set(plan.files));
    await files.discardRemoved();
    return answer;
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw error.cause;
    await files.discardExcept(new Set());
    throw error;
  }
}

/** The outcome of the commit is unknown, so rows may refer to the files. */
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
    // The changes are planned again only if the stored rows have changed since the first plan.
    if (!isDeepStrictEqual(state, plan.state)) plan = steps.plan(state);
    return { answer: await steps.write(tx, plan, files), plan };
  };
  try {
    return await database.withEntities(scope, write, signal);
  } catch (error) {
    if (!(error instanceof FileNotPut)) throw known(error);
  }
  // The write needs a file that is not stored. Either another request has deleted a detection that the first plan
  // updated, so the new plan inserts it with a crop. Or the process was suspended, and the worker may meanwhile have
  // removed the files as orphans. So all files are stored, and the write is repeated.
  await files.putAll(signal);
  try {
    return await database.withEntities(scope, write, signal);
  } catch (error) {
    throw known(error);
  }
}

/**
 * The locks for the beginning of the transaction. If the image already has detections, only the model and the image are
 * locked first. The lock of the image serializes its writers, and the plan in the transaction requires all other locks.
 */
function firstLocks({ state, locks }: RowsPlan): readonly EntityLock[] {
  return state.detections.length === 0
    ? locks
    : locks.filter(({ entity }) => entity === 'models' || entity === 'source');
}

function known(error: unknown): unknown {
  return isRolledBack(error) ? error : new OutcomeUnknown('', { cause: error });
}
