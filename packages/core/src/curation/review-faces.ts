import type { Settle } from '../database/database.ts';
import { requireIdentity } from '../database/require-identity.ts';
import { settleAlone } from '../database/settle-alone.ts';
import type { DomainError } from '../domain-error.ts';
import { requireAssignable } from '../identities/require-assignable.ts';
import type { Scope } from '../store/scope.ts';
import type { ActOnFaceDeps } from './act-on-face.ts';
import { actOnEach } from './act-on-each.ts';
import type { TaskOutcome } from './carry-out-tasks.ts';
import type { FaceTask } from './face-task.ts';

export type ReviewAction =
  | { readonly action: 'confirm' | 'reassign'; readonly identityId: number }
  | { readonly action: 'unassign' | 'reject' | 'restore' };

export interface ReviewedFaces {
  readonly processed: number;
  readonly errors: readonly { readonly id: number; readonly error: DomainError }[];
}

/**
 * Carries out one action on many faces in their order, in transactions of up to 20. A refused face does not prevent the
 * others.
 *
 * @param request its ids must be distinct
 * @throws NotFound, TypeMismatch for the identity; StoreUnavailable, InferenceUnavailable, which do not undo earlier
 *   transactions
 */
export async function reviewFaces(
  deps: ActOnFaceDeps,
  request: {
    readonly scope: Scope;
    readonly ids: readonly number[];
    readonly review: ReviewAction;
  },
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<ReviewedFaces> } = {},
): Promise<ReviewedFaces> {
  const { scope, ids, review } = request;
  const { signal } = options;
  await requireReviewTarget(deps, { scope, review }, signal);
  const tasks = tasksOfReview(ids, review);
  const outcomes = await actOnEach(deps, { scope, action: review.action, tasks }, { signal });
  const result = reviewedOf(ids, outcomes);
  await settleAlone(deps.database, { scope, result }, options);
  return result;
}

/** @throws NotFound, TypeMismatch for the identity that an action names; StoreUnavailable */
export async function requireReviewTarget(
  { database }: Pick<ActOnFaceDeps, 'database'>,
  { scope, review }: { readonly scope: Scope; readonly review: ReviewAction },
  signal?: AbortSignal,
): Promise<void> {
  if (!('identityId' in review)) return;
  const id = review.identityId;
  const identity = await requireIdentity(database, { scope, id }, signal);
  requireAssignable(identity, { id, type: 'face' });
}

export function tasksOfReview(ids: readonly number[], review: ReviewAction): readonly FaceTask[] {
  const target = 'identityId' in review ? { identityId: review.identityId } : null;
  return ids.map((id) => ({ id, target }));
}

/** @param outcomes the outcomes of the faces, in their order */
export function reviewedOf(
  ids: readonly number[],
  outcomes: readonly TaskOutcome[],
): ReviewedFaces {
  const errors = outcomes.flatMap((outcome, i) =>
    'error' in outcome ? [{ id: ids[i]!, error: outcome.error }] : [],
  );
  return { processed: ids.length - errors.length, errors };
}
