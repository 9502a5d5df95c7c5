import type { Database, Settle } from '../database/database.ts';
import { settleAlone } from '../database/settle-alone.ts';
import type { QueueSelection } from '../detections/queue-selection.ts';
import { DomainError } from '../domain-error.ts';
import { readWithSuggestions } from '../matching/read-with-suggestions.ts';
import type { ModelStore } from '../models/model-store.ts';
import type { Scope } from '../store/scope.ts';
import { actOnEach, type SettleGroup } from './act-on-each.ts';
import { allIds } from './bulk/all-ids.ts';
import { LeftOut } from './condition.ts';
import {
  requireReviewTarget,
  type ReviewAction,
  type ReviewedFaces,
  reviewedOf,
  tasksOfReview,
} from './review-faces.ts';

/** The most faces about which one request decides while its client waits. */
export const MAX_FACES_AT_ONCE = 1000;

export interface ReviewWhereDeps {
  readonly database: Database;
  readonly models: Pick<ModelStore, 'active' | 'roles'>;
}

/** The faces of the review queue that a decision is for. Absent members do not restrict it. */
export type FaceFilter = Omit<QueueSelection, 'rule'>;

interface Filtered {
  readonly scope: Scope;
  readonly where: FaceFilter;
}

export interface ReviewWhereRequest extends Filtered {
  readonly review: ReviewAction;
}

/** More faces than a client can wait for. */
export class TooManyFaces extends DomainError {
  readonly code = 'invalid_request';

  constructor(count: number) {
    super(
      `The request is about ${count} faces, and one request decides about at most ${MAX_FACES_AT_ONCE}: with async=true a job decides about more.`,
      { count },
    );
  }
}

/** Counts the faces that a filter selects now. @throws StoreUnavailable */
export async function countWhere(
  deps: ReviewWhereDeps,
  { scope, where }: Filtered,
  signal: AbortSignal,
): Promise<number> {
  return readWithSuggestions(deps, { scope, signal }, ({ queue }, rule) =>
    queue.count({ ...where, rule }),
  );
}

/** Returns the ids of the faces that a filter selects now, ascending. @throws StoreUnavailable */
export async function selectWhere(
  deps: ReviewWhereDeps,
  { scope, where }: Filtered,
  signal: AbortSignal,
): Promise<readonly number[]> {
  return readWithSuggestions(deps, { scope, signal }, ({ queue }, rule) =>
    allIds((page) => queue.ids({ ...where, rule }, page)),
  );
}

/**
 * Carries out one action on the faces that a filter selects.
 *
 * @throws TooManyFaces; the errors of {@link reviewChosen}
 */
export async function reviewWhere(
  deps: ReviewWhereDeps,
  request: ReviewWhereRequest,
  options: { readonly signal: AbortSignal; readonly settle?: Settle<ReviewedFaces> | undefined },
): Promise<ReviewedFaces> {
  const { signal } = options;
  const { scope, review } = request;
  await requireReviewTarget(deps, { scope, review }, signal);
  const ids = await readWithSuggestions(deps, { scope, signal }, ({ queue }, rule) =>
    queue.ids({ ...request.where, rule }, { after: 0, limit: MAX_FACES_AT_ONCE + 1 }),
  );
  if (ids.length > MAX_FACES_AT_ONCE) {
    throw new TooManyFaces(await countWhere(deps, request, signal));
  }
  const result = await reviewChosen(deps, { ...request, ids }, { signal });
  await settleAlone(deps.database, { scope, result }, options);
  return result;
}

/**
 * Carries out one action on chosen faces. The transaction that decides about a face checks that the filter still selects it;
 * otherwise the face is left out. A repeated call leaves out what was decided.
 *
 * @throws StoreUnavailable, InferenceUnavailable, which do not undo earlier transactions
 */
export async function reviewChosen(
  deps: ReviewWhereDeps,
  { scope, where, review, ids }: ReviewWhereRequest & { readonly ids: readonly number[] },
  { signal, settleGroup }: { readonly signal: AbortSignal; readonly settleGroup?: SettleGroup },
): Promise<ReviewedFaces> {
  const selection = await readWithSuggestions(deps, { scope, signal }, (_, rule) =>
    Promise.resolve({ ...where, rule }),
  );
  const outcomes = await actOnEach(
    deps,
    {
      scope,
      action: review.action,
      tasks: tasksOfReview(ids, review),
      condition: ({ queue }, some) => queue.among(selection, some),
    },
    { signal, settleGroup },
  );
  const { processed, errors } = reviewedOf(ids, outcomes);
  return { processed, errors: errors.filter(({ error }) => !(error instanceof LeftOut)) };
}
