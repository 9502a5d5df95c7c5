import type { Database } from '../database/database.ts';
import { DomainError } from '../domain-error.ts';
import { InferenceUnavailable } from '../models/model-errors.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import type { ActOnFaceDeps } from './act-on-face.ts';
import { type ActedFace, carryOutTask } from './carry-out-task.ts';
import { EnrollmentModels } from './enrollment-models.ts';
import { type ExpectedTask, expectFaces } from './expect-faces.ts';
import type { FaceTask } from './face-task.ts';

const CHUNK = 100;

export type TaskOutcome = { readonly acted: ActedFace } | { readonly error: DomainError };

/**
 * Carries out tasks one after the other, each in its own transaction. The outcomes are in the order of the tasks. A
 * refused task does not prevent the next ones. An error of a store ends the call, and does not undo earlier tasks.
 *
 * @throws StoreUnavailable, InferenceUnavailable; the signal's reason on abort
 */
export async function actOnEach(
  deps: ActOnFaceDeps,
  { scope, tasks }: { readonly scope: Scope; readonly tasks: readonly FaceTask[] },
  signal?: AbortSignal,
): Promise<readonly TaskOutcome[]> {
  const models = new EnrollmentModels(deps.models, signal);
  const outcomes: TaskOutcome[] = [];
  for (let start = 0; start < tasks.length; start += CHUNK) {
    const chunk = tasks.slice(start, start + CHUNK);
    const expected = await deps.database.withScope(
      scope,
      (stores) => expectFaces(stores, chunk),
      signal,
    );
    const created = new Map<string, number>();
    for (const [i, task] of chunk.entries()) {
      const found = expected[i] && withCreated(task, expected[i], created);
      const outcome = await outcomeOf(
        deps.database,
        { scope, task, expected: found, models },
        signal,
      );
      noteCreated(task, outcome, created);
      outcomes.push(outcome);
    }
  }
  return outcomes;
}

interface Attempt {
  readonly scope: Scope;
  readonly task: FaceTask;
  readonly expected: ExpectedTask | undefined;
  readonly models: EnrollmentModels;
}

async function outcomeOf(
  database: Database,
  { scope, task, expected, models }: Attempt,
  signal: AbortSignal | undefined,
): Promise<TaskOutcome> {
  if (expected === undefined) return { error: new NotFound('detection', task.id) };
  try {
    const acted = await models.use(task.action, (enrollFor) =>
      carryOutTask(
        database,
        { scope, task, expected, ...enrollFor },
        { ...(signal && { signal }) },
      ),
    );
    return { acted };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { error };
  }
}

/** Whether the error only concerns this task. */
function isRefusal(error: unknown): error is DomainError {
  if (error instanceof StoreUnavailable || error instanceof InferenceUnavailable) return false;
  return error instanceof DomainError;
}

/** Adds the id of the identity that the task names by label, if an earlier task of the same call has created it. */
function withCreated(
  { target }: FaceTask,
  expected: ExpectedTask,
  created: ReadonlyMap<string, number>,
): ExpectedTask {
  if (expected.targetId !== null || target === null || !('label' in target)) return expected;
  const key = `${expected.face.detection.type} ${target.label}`;
  return { ...expected, targetId: created.get(key) ?? null };
}

function noteCreated(
  { target }: FaceTask,
  outcome: TaskOutcome,
  created: Map<string, number>,
): void {
  if (target === null || !('label' in target) || !('acted' in outcome)) return;
  const { identity } = outcome.acted;
  if (identity !== null) created.set(`${identity.type} ${identity.label}`, identity.id);
}
