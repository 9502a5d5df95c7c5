import { createJob, type CreateJobOptions } from '../../database/create-job.ts';
import type { Database, Stores } from '../../database/database.ts';
import type { DetectionType } from '../../detection-type.ts';
import type { DetectionFilter, StateFilter } from '../../store/detection-filter.ts';
import { requireAssignable } from '../../identities/require-assignable.ts';
import { NotFound } from '../../store/not-found.ts';
import type { Scope } from '../../store/scope.ts';
import type { Job } from '../../jobs/job.ts';
import { operationParamsOf } from '../../jobs/operation-job.ts';
import { allIds } from './all-ids.ts';
import { requireCount } from './count-changed.ts';

export type BulkAction =
  | { readonly action: 'dismiss' }
  | { readonly action: 'move'; readonly identityId: number }
  /** `confirmed`: the number of detections that the caller has seen. */
  | { readonly action: 'delete'; readonly confirmed: number };

export interface BulkDetections {
  readonly scope: Scope;
  readonly where: DetectionFilter;
  readonly bulk: BulkAction;
}

/**
 * Returns the filter of the detections that an action changes: those that are as it would leave them are not among them.
 */
function changedBy(bulk: BulkAction, where: DetectionFilter): DetectionFilter {
  switch (bulk.action) {
    case 'dismiss':
      return { ...where, isDismissed: false };
    case 'move':
      return { ...where, notOf: bulk.identityId };
    case 'delete':
      return where;
  }
}

/**
 * Counts the detections that an action would change.
 *
 * @throws NotFound, TypeMismatch for the identity; StoreUnavailable
 */
export function countBulkDetections(
  { database }: { readonly database: Pick<Database, 'withScope'> },
  { scope, where, bulk }: BulkDetections,
  signal?: AbortSignal,
): Promise<number> {
  return database.withScope(
    scope,
    async (stores) => {
      const type = await typeOf(stores, bulk, where);
      return stores.detections.countMatching(changedBy(bulk, { ...where, type }));
    },
    signal,
  );
}

/**
 * Creates a job that carries out one action on all detections of a filter, as one operation.
 *
 * @throws NotFound, TypeMismatch for the identity; CountChanged, TooManyJobs, StoreUnavailable
 */
export function startBulkDetections(
  { database }: { readonly database: Pick<Database, 'withEntities'> },
  { scope, where, bulk }: BulkDetections,
  options: CreateJobOptions,
): Promise<Job> {
  return createJob(
    database,
    {
      scope,
      async describe(tx) {
        const type = await typeOf(tx, bulk, where);
        const filter = changedBy(bulk, { ...where, type });
        const ids = await allIds((page) => tx.detections.matching(filter, page));
        const total = ids.length;
        if (bulk.action === 'delete') requireCount(total, bulk.confirmed);
        if (total > 0) await tx.operations.begin();
        const params = { ...operationParamsOf(scope), ...actionOf(bulk), where: stateOf(filter) };
        const items = total === 0 ? [] : [{ input: { ids } }];
        return { type: 'bulk_detections', params, items, total };
      },
    },
    options,
  );
}

/** Only faces can be dismissed, and an identity gets detections of its own type. */
async function typeOf(
  { identities }: Stores,
  bulk: BulkAction,
  { type }: DetectionFilter,
): Promise<DetectionType | undefined> {
  if (bulk.action === 'delete') return type;
  if (bulk.action === 'dismiss') return 'face';
  const { identityId: id } = bulk;
  const identity = await identities.byId(id);
  if (identity === null) throw new NotFound('identity', id);
  return requireAssignable(identity, { id, type: type ?? identity.type }).type;
}

function actionOf(bulk: BulkAction) {
  if (bulk.action === 'move') return { action: bulk.action, identityId: bulk.identityId };
  return { action: bulk.action };
}

/** The transactions of the job check these conditions. The chosen detections meet the others always. */
function stateOf(filter: DetectionFilter): StateFilter {
  const { identityId, sourceImageId, type, className, reviewStatus, notOf, isDismissed } = filter;
  return { identityId, sourceImageId, type, className, reviewStatus, notOf, isDismissed };
}
