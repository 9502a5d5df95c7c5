import type { Settle } from '../database/database.ts';
import { settleAlone } from '../database/settle-alone.ts';
import { DomainError } from '../domain-error.ts';
import { InvalidLabel } from '../identities/label.ts';
import type { Scope } from '../store/scope.ts';
import type { ActOnFaceDeps } from './act-on-face.ts';
import { actOnEach } from './act-on-each.ts';
import { type FaceTask, type LabelTarget, normalizedTarget } from './face-task.ts';

export interface LabelItem {
  readonly id: number;
  /** The identity that the detection gets; null if the request names none or two, which is an error. */
  readonly target: LabelTarget | null;
}

export interface LabelOutcome {
  readonly id: number;
  /** The reason for which the item was refused; null if the detection was labeled. */
  readonly error: DomainError | null;
}

/**
 * Labels detections in the order of the items, in transactions of up to 20. The outcomes are in the order of the items.
 * A refused item does not prevent the others.
 *
 * @throws StoreUnavailable, InferenceUnavailable; detections of earlier transactions keep their labels
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
  const outcomes = [
    ...(await actOnEach(
      deps,
      { scope, action: 'relabel', tasks: valid },
      { signal: options.signal },
    )),
  ];
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
    return { id, target: normalizedTarget(target) };
  } catch (error) {
    if (error instanceof InvalidLabel) return error;
    throw error;
  }
}

/** The item names no identity, or it has a label and an id. */
class NoSingleTarget extends DomainError {
  readonly code = 'invalid_request';

  constructor() {
    super('Exactly one of label and identity_id is expected.');
  }
}
