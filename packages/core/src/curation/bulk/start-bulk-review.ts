import { createJob, type CreateJobOptions } from '../../database/create-job.ts';
import type { Database } from '../../database/database.ts';
import type { BulkReviewInput, BulkReviewParams, Job, StoredFaceFilter } from '../../jobs/job.ts';
import { operationParamsOf } from '../../jobs/operation-job.ts';
import type { Scope } from '../../store/scope.ts';
import { type LabelTarget, normalizedTarget } from '../face-task.ts';
import { requireLabelTarget } from '../label-strangers.ts';
import { requireReviewTarget } from '../review-faces.ts';
import {
  type FaceFilter,
  type ReviewWhereDeps,
  type ReviewWhereRequest,
  selectWhere,
} from '../review-where.ts';

/**
 * Creates a job that carries out one action on the faces that a filter selects, as one operation.
 *
 * @throws NotFound, TypeMismatch for the identity; TooManyJobs, StoreUnavailable
 */
export async function startBulkReview(
  deps: ReviewWhereDeps,
  { scope, where, review }: ReviewWhereRequest,
  options: CreateJobOptions & { readonly signal: AbortSignal },
): Promise<Job> {
  await requireReviewTarget(deps, { scope, review }, options.signal);
  const ids = await selectWhere(deps, { scope, where }, options.signal);
  const params = { ...operationParamsOf(scope), ...review, where: toStored(where) };
  return start(deps, { scope, params, input: { ids, rejected: [] } }, options);
}

/** A decision about the faces of a group of strangers. */
export type GroupDecision =
  | {
      readonly action: 'label';
      readonly target: LabelTarget;
      /** The faces that are rejected from the identity. */
      readonly rejected: readonly number[];
    }
  | { readonly action: 'dismiss' };

/**
 * Creates a job that decides about the faces of a group, as one operation.
 *
 * @throws InvalidLabel; NotFound, TypeMismatch for the identity; TooManyJobs, StoreUnavailable
 */
export async function startGroupDecision(
  deps: { readonly database: Database },
  {
    scope,
    ids,
    decision,
  }: { readonly scope: Scope; readonly ids: readonly number[]; readonly decision: GroupDecision },
  options: CreateJobOptions,
): Promise<Job> {
  const common = operationParamsOf(scope);
  const ascending = ids.toSorted((a, b) => a - b);
  if (decision.action === 'dismiss') {
    const input = { ids: ascending, rejected: [] };
    return start(deps, { scope, params: { ...common, action: 'dismiss_group' }, input }, options);
  }
  const target = normalizedTarget(decision.target);
  await requireLabelTarget(deps, { scope, target }, options.signal);
  const input = { ids: ascending, rejected: decision.rejected };
  return start(
    deps,
    { scope, params: { ...common, action: 'label_group', target }, input },
    options,
  );
}

function start(
  { database }: { readonly database: Pick<Database, 'withEntities'> },
  {
    scope,
    params,
    input,
  }: {
    readonly scope: Scope;
    readonly params: BulkReviewParams;
    readonly input: BulkReviewInput;
  },
  options: CreateJobOptions,
): Promise<Job> {
  const total = input.ids.length;
  return createJob(
    database,
    {
      scope,
      async describe(tx) {
        if (total > 0) await tx.operations.begin();
        return { type: 'bulk_review', params, items: total === 0 ? [] : [{ input }], total };
      },
    },
    options,
  );
}

/** The transactions of the job check the conditions that may change; the chosen faces meet the others always. */
function toStored({
  identityId,
  minSimilarity,
  maxSimilarity,
  queuedUntil,
}: FaceFilter): StoredFaceFilter {
  return {
    ...(identityId !== undefined && { identityId }),
    ...(minSimilarity !== undefined && { minSimilarity }),
    ...(maxSimilarity !== undefined && { maxSimilarity }),
    queuedUntil: queuedUntil.toISOString(),
  };
}

/** Returns the filter that a job has stored. */
export function fromStored({ queuedUntil, ...others }: StoredFaceFilter): FaceFilter {
  return { ...others, queuedUntil: new Date(queuedUntil), except: [] };
}
