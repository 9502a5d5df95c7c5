import type { CreateJobOptions } from '../../database/create-job.ts';
import type { Database, Stores } from '../../database/database.ts';
import type { DetectionType } from '../../detection-type.ts';
import { type DetectionFilter, toStored } from '../../store/detection-filter.ts';
import { requireAssignable } from '../../identities/require-assignable.ts';
import { NotFound } from '../../store/not-found.ts';
import type { Scope } from '../../store/scope.ts';
import type { BulkDetectionsParams, Job } from '../../jobs/job.ts';
import { authorOf } from '../../jobs/operation-job.ts';
import { beginBulk, requireCount } from './begin-bulk.ts';

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
export function changedBy(bulk: BulkAction | BulkDetectionsParams, where: DetectionFilter) {
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
  { scope, where: given, bulk }: BulkDetections,
  { signal, settle }: CreateJobOptions,
): Promise<Job> {
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const where = { ...given, type: await typeOf(tx, bulk, given) };
      const ids = await idsOf(tx, changedBy(bulk, where));
      const total = ids.length;
      if (bulk.action === 'delete') requireCount(total, bulk.confirmed);
      if (total > 0) await tx.operations.begin();
      const job = await tx.jobs.create({
        type: 'bulk_detections',
        params: paramsOf({ scope, where, bulk }),
        items: total === 0 ? [] : [{ input: { ids } }],
        total,
      });
      return beginBulk(tx, job, settle);
    },
    signal,
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

/** The number of ids that are read at a time. */
const PAGE = 10_000;

async function idsOf({ detections }: Stores, filter: DetectionFilter): Promise<readonly number[]> {
  const pages: (readonly number[])[] = [];
  for (let after = 0, isLast = false; !isLast;) {
    const page = await detections.matching(filter, { after, limit: PAGE });
    pages.push(page);
    isLast = page.length < PAGE;
    after = page.at(-1) ?? after;
  }
  return pages.flat();
}

function paramsOf({ scope, where, bulk }: BulkDetections): BulkDetectionsParams {
  const isPurge = scope.operation?.isPurge === true;
  const common = { author: authorOf(scope), ...(isPurge && { isPurge }), where: toStored(where) };
  return bulk.action === 'move'
    ? { ...common, action: 'move', identityId: bulk.identityId }
    : { ...common, action: bulk.action };
}
