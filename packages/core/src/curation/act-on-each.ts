import type { Transaction } from '../database/database.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import type { ActOnFaceDeps } from './act-on-face.ts';
import { carryOutTasks, type TaskOutcome } from './carry-out-tasks.ts';
import { type Condition, LeftOut } from './condition.ts';
import { EnrollmentModels } from './enrollment-models.ts';
import { expectFaces } from './expect-faces.ts';
import type { FaceAction } from './face-action.ts';
import type { FaceTask } from './face-task.ts';

/**
 * The maximum number of tasks of one transaction: a crash undoes at most this many, and other writers of their entities
 * wait for at most this many.
 */
const GROUP = 20;

/** A step of the transaction of a group. */
export type SettleGroup = (
  tx: Transaction,
  done: { readonly group: readonly FaceTask[]; readonly outcomes: readonly TaskOutcome[] },
) => Promise<void>;

/**
 * Carries out tasks in their order, in transactions of up to 20. The outcomes are in the order of the tasks. A refused
 * task does not prevent the others. A group whose detections are all unknown needs no transaction. An error of a store
 * ends the call, and does not undo earlier transactions.
 *
 * @throws StoreUnavailable, InferenceUnavailable; the signal's reason on abort
 */
export async function actOnEach(
  { database, models: store }: ActOnFaceDeps,
  request: {
    readonly scope: Scope;
    readonly action: FaceAction;
    readonly tasks: readonly FaceTask[];
    readonly condition?: Condition | undefined;
  },
  {
    signal,
    settleGroup,
  }: {
    readonly signal?: AbortSignal | undefined;
    /** The last step of each transaction, with the tasks of its group. */
    readonly settleGroup?: SettleGroup | undefined;
  } = {},
): Promise<readonly TaskOutcome[]> {
  const { scope, action, condition } = request;
  const models = new EnrollmentModels(store, signal);
  const outcomes: TaskOutcome[] = [];
  for (const group of groupsOf(request.tasks)) {
    const tasks = await database.withScope(scope, (stores) => expectFaces(stores, group), signal);
    if (tasks.every(({ expected }) => expected === undefined)) {
      const missing = condition === undefined ? notFound : leftOut;
      outcomes.push(...group.map(missing));
      continue;
    }
    const done = await models.use(action, (enrollFor) =>
      carryOutTasks(
        database,
        { scope, action, tasks, condition, ...enrollFor },
        {
          signal,
          ...(settleGroup && { settle: (tx, outcomes) => settleGroup(tx, { group, outcomes }) }),
        },
      ),
    );
    outcomes.push(...done);
  }
  return outcomes;
}

function notFound({ id }: FaceTask): TaskOutcome {
  return { error: new NotFound('detection', id) };
}

function leftOut({ id }: FaceTask): TaskOutcome {
  return { error: new LeftOut(id) };
}

/** Divides tasks into groups about distinct detections. A detection that is named again begins the next group. */
function groupsOf(tasks: readonly FaceTask[]): readonly (readonly FaceTask[])[] {
  const groups: FaceTask[][] = [];
  let ids = new Set<number>();
  for (const task of tasks) {
    if (groups.length === 0 || ids.size === GROUP || ids.has(task.id)) {
      groups.push([]);
      ids = new Set();
    }
    ids.add(task.id);
    groups.at(-1)!.push(task);
  }
  return groups;
}
