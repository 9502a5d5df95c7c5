import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { SourceFilter, SourceOrder } from '@sightline/core/sources/source-store';
import { and, asc, count, desc, eq, exists, gte, isNotNull, lt, not, sql } from '../drizzle.ts';
import { detections } from '../schema/detections.ts';
import { sourceImages } from '../schema/source-images.ts';
import { anyOf } from './any-of.ts';

/** Whether a detection is not being removed with its identity. */
const STAYS = sql`not exists (
  select from identities i
  where i.environment_id = ${detections.environmentId} and i.id = ${detections.identityId}
    and i.leaving_since is not null)`;

/** The ids of all images that fit. Detections of an identity that leaves do not count. */
export async function idsOfSources(
  db: NodePgDatabase,
  filter: SourceFilter,
  order: SourceOrder,
): Promise<readonly number[]> {
  const rows = await db
    .select({ id: sourceImages.id })
    .from(sourceImages)
    .where(and(...ownConditions(filter), ...detectionConditions(db, filter)))
    .orderBy(...orderOf(db, order));
  return rows.map(({ id }) => id);
}

function ownConditions({ externalRef, since, until }: SourceFilter): SQL[] {
  const conditions: SQL[] = [];
  if (externalRef !== undefined) conditions.push(eq(sourceImages.externalRef, externalRef));
  if (since !== undefined) conditions.push(gte(sourceImages.uploadedAt, since));
  if (until !== undefined) conditions.push(lt(sourceImages.uploadedAt, until));
  return conditions;
}

function detectionConditions(db: NodePgDatabase, filter: SourceFilter): SQL[] {
  const has = (...wanted: SQL[]): SQL => hasDetection(db, STAYS, ...wanted);
  const { identityIds = [] } = filter;
  const conditions = identityIds.length > 0 ? [hasEach(identityIds)] : [];
  if (filter.type !== undefined) conditions.push(has(eq(detections.type, filter.type)));
  // Every detection has a crop: an image without crops is one without detections.
  if (filter.noDetections === true || filter.noCrops === true) conditions.push(not(has()));
  if (filter.noTaggedFaces === true) {
    conditions.push(not(has(eq(detections.type, 'face'), isNotNull(detections.identityId))));
  }
  if (filter.hasManualDetections === true) conditions.push(has(eq(detections.isManual, true)));
  return conditions;
}

/** One condition for all identities: with one for each of them the server plans for seconds. */
function hasEach(identityIds: readonly number[]): SQL {
  const wanted = [...new Set(identityIds)];
  return sql`${sourceImages.id} in (
    select source_image_id from detections
    where ${anyOf(detections.identityId, wanted)} and ${STAYS}
    group by source_image_id having count(distinct identity_id) = ${wanted.length})`;
}

/** Whether an image has a detection that meets all of these conditions, also one that leaves. */
export function hasDetection(db: NodePgDatabase, ...conditions: SQL[]): SQL {
  return exists(ofImage(db, { one: sql`1` }, conditions));
}

/** Ties are ordered by id, in the direction of the order. */
function orderOf(db: NodePgDatabase, order: SourceOrder): SQL[] {
  const detectionCount = sql`(${ofImage(db, { count: count() }, [STAYS])})`;
  switch (order) {
    case 'newest':
      return [desc(sourceImages.uploadedAt), desc(sourceImages.id)];
    case 'oldest':
      return [asc(sourceImages.uploadedAt), asc(sourceImages.id)];
    case 'most_detections':
      return [desc(detectionCount), desc(sourceImages.id)];
    case 'fewest_detections':
      return [asc(detectionCount), asc(sourceImages.id)];
  }
}

function ofImage(db: NodePgDatabase, columns: Record<string, SQL>, conditions: SQL[]) {
  return db
    .select(columns)
    .from(detections)
    .where(
      and(
        eq(detections.environmentId, sourceImages.environmentId),
        eq(detections.sourceImageId, sourceImages.id),
        ...conditions,
      ),
    );
}
