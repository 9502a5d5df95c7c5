import type { DetectionFilter } from '@sightline/core/store/detection-filter';
import type { SQL } from 'drizzle-orm';
import { and, eq, gte, isNotNull, isNull, lt, lte, not, or, sql } from '../../drizzle.ts';
import { detections } from '../../schema/detections.ts';
import { assignedIdentities } from '../../schema/identities.ts';
import { anyOf } from '../database/any-of.ts';
import { rowIdsOf } from '../identities/seen-identity.ts';

/**
 * Whether readers see the detection, which they do not while its identity is being deleted. For queries that join
 * `assigned_identities`.
 */
export const IS_SEEN = or(isNull(detections.identityId), isNotNull(assignedIdentities.id));

/** The condition of a filter, for queries that join `assigned_identities`. */
export function conditionOfFilter(filter: DetectionFilter): SQL | undefined {
  const { sourceImageId, type, className, reviewStatus, except, notOf, isDismissed } = filter;
  return and(
    IS_SEEN,
    filter.identityId === undefined ? undefined : isOf(filter.identityId),
    sourceImageId === undefined ? undefined : eq(detections.sourceImageId, sourceImageId),
    type && eq(detections.type, type),
    className === undefined ? undefined : eq(detections.className, className),
    reviewStatus && eq(detections.reviewStatus, reviewStatus),
    ...timesWithin(filter),
    except && not(anyOf(detections.id, except)),
    notOf === undefined ? undefined : sql`${assignedIdentities.id} IS DISTINCT FROM ${notOf}`,
    isDismissed === undefined ? undefined : hasMark(isDismissed),
  );
}

/** The ids of the rows are an array, so that an index finds the detections. */
function isOf(identityId: number): SQL {
  const rowIds = sql.raw(rowIdsOf(String(Math.trunc(identityId))));
  return sql`${detections.identityId} = any(array(select id from ${rowIds} as own))`;
}

function timesWithin({ since, until, asOf }: DetectionFilter): (SQL | undefined)[] {
  const { detectedAt } = detections;
  return [
    since && gte(detectedAt, since),
    until && lt(detectedAt, until),
    asOf && lte(detectedAt, asOf),
  ];
}

function hasMark(isDismissed: boolean): SQL {
  return isDismissed ? isNotNull(detections.dismissedAt) : isNull(detections.dismissedAt);
}
