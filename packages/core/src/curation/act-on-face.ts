import type { Database, Settle, Transaction } from '../database/database.ts';
import type { ModelStore } from '../models/model-store.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { type ActedFace, carryOutTasks, type TaskOutcome } from './carry-out-tasks.ts';
import { EnrollmentModels } from './enrollment-models.ts';
import { expectFaces } from './expect-faces.ts';
import type { FaceAction } from './face-action.ts';
import { type LabelTarget, normalizedTarget } from './face-task.ts';

export interface ActOnFaceDeps {
  readonly database: Database;
  readonly models: Pick<ModelStore, 'roles'>;
}

export interface ActOnFaceRequest {
  readonly scope: Scope;
  readonly id: number;
  readonly action: FaceAction;
  readonly target?: LabelTarget;
}

/**
 * Carries out a person's decision about a face in one transaction. This changes the detection's row, references and
 * their mean, rejections, and the cover of the previous identity, and emits events. Repeating an action succeeds and
 * changes nothing, except that a restore fails.
 *
 * @throws NotFound for the detection or the identity; InvalidLabel, TypeMismatch, NotAFace, NotRejected,
 *   NotAssigned, NoEmbedding, StoreUnavailable
 */
export async function actOnFace(
  deps: ActOnFaceDeps,
  { scope, id, action, ...given }: ActOnFaceRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<ActedFace> } = {},
): Promise<ActedFace> {
  const target = given.target === undefined ? null : normalizedTarget(given.target);
  const { signal, settle } = options;
  const models = new EnrollmentModels(deps.models, signal);
  // This call reads the models at the same time as the face, to save time. `models` remembers them for `use` below.
  const [tasks] = await Promise.all([
    deps.database.withScope(scope, (stores) => expectFaces(stores, [{ id, target }]), signal),
    models.of(action),
  ]);
  if (tasks[0]!.expected === undefined) throw new NotFound('detection', id);
  const settleOne = async (tx: Transaction, [outcome]: readonly TaskOutcome[]) =>
    settle?.(tx, actedOf(outcome!));
  const [outcome] = await models.use(action, (enrollFor) =>
    carryOutTasks(
      deps.database,
      { scope, action, tasks, ...enrollFor },
      { signal, settle: settleOne },
    ),
  );
  return actedOf(outcome!);
}

function actedOf(outcome: TaskOutcome): ActedFace {
  if ('error' in outcome) throw outcome.error;
  return outcome.acted;
}
