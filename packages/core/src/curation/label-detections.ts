import type { Settle } from '../database/database.ts';
import { settleAlone } from '../database/settle-alone.ts';
import { DomainError } from '../domain-error.ts';
import { InvalidLabel } from '../identities/label.ts';
import type { Scope } from '../store/scope.ts';
import type { ActOnFaceDeps } from './act-on-face.ts';
import { actOnEach } from './act-on-each.ts';
import { type FaceTask, type LabelTarget, normalizedTarget } from './face-task.ts';

/** A detection, and the identity that it gets; null: the request names none, or two. */
export interface LabelItem {
  readonly id: number;
  readonly target: LabelTarget | null;
}

/** Why an item was refused; null: it was labeled. */
export interface LabelOutcome {
  readonly id: number;
  readonly error: DomainError | null;
}

/**
 * Labels detections one after the other, each in a transaction of its own; answers in their order. One
 * that is refused does not keep the others from being labeled.
 *
 * @throws StoreUnavailable, InferenceUnavailable; what was labeled until then stays
 */
export async function labelDetections(
  deps: ActOnFaceDeps,
  { scope, items }: { readonly scope: Scope; readonly items: readonly LabelItem[] },
  options: {
    readonly signal?: AbortSignal;
    readonly settle?: Settle<readonly LabelOutcome[]>;
  } = {},
): Promise<readonly LabelOutcome[]> {
  const tasks = items.map(toTask);
  const valid = tasks.filter((task): task is FaceTask => !(task instanceof DomainError));
  const outcomes = [...(await actOnEach(deps, { scope, tasks: valid }, options.signal))];
  const result = tasks.map((task, i) => {
    const outcome = task instanceof DomainError ? { error: task } : outcomes.shift()!;
    return { id: items[i]!.id, error: 'error' in outcome ? outcome.error : null };
  });
  await settleAlone(deps.database, { scope, result }, options);
  return result;
}

function toTask({ id, target }: LabelItem): FaceTask | DomainError {
  if (target === null) return new NoSingleTarget();
  try {
    return { id, action: 'relabel', target: normalizedTarget(target) };
  } catch (error) {
    if (error instanceof InvalidLabel) return error;
    throw error;
  }
}

/** An item names no identity, or one by its label and one by its id. */
class NoSingleTarget extends DomainError {
  readonly code = 'invalid_request';

  constructor() {
    super('Exactly one of label and identity_id is expected.');
  }
}
