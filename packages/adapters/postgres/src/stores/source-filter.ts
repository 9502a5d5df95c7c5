import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { SourceFilter } from '@sightline/core/sources/source-store';
import { and, eq, exists, gte, inArray, isNull, lt, or, sql } from '../drizzle.ts';
import { detections } from '../schema/detections.ts';
import { identities } from '../schema/identities.ts';
import { sourceImages } from '../schema/source-images.ts';
import { ALL_TRAITS, has } from '../schema/source-traits.ts';
import { anyOf } from './any-of.ts';

/** Of more identities, the server would plan the conditions longer than it executes them. */
const IDENTITIES_ONE_BY_ONE = 3;

/** The traits of the images that a filter takes. */
export function wantedTraits(filter: SourceFilter): readonly number[] {
  // Every detection has a crop: an image without crops is one without detections.
  const wantsNone = filter.noDetections === true || filter.noCrops === true;
  return ALL_TRAITS.filter(
    (traits) =>
      (!wantsNone || traits === 0) &&
      (filter.type === undefined || has(traits, filter.type === 'face' ? 'faces' : 'objects')) &&
      (filter.noTaggedFaces !== true || !has(traits, 'taggedFaces')) &&
      (filter.hasManualDetections !== true || has(traits, 'manual')),
  );
}

/** What else a filter asks of an image. */
export async function conditionOf(
  db: NodePgDatabase,
  { externalRef, since, until, identityIds = [] }: SourceFilter,
): Promise<SQL | undefined> {
  return and(
    externalRef === undefined ? undefined : eq(sourceImages.externalRef, externalRef),
    since && gte(sourceImages.uploadedAt, since),
    until && lt(sourceImages.uploadedAt, until),
    identityIds.length === 0 ? undefined : await showsEach(db, new Set(identityIds)),
  );
}

/** Whether an image has a detection that meets this condition, also one that leaves. */
export function hasDetection(db: NodePgDatabase, condition?: SQL): SQL {
  const ofImage = db
    .select({ one: sql`1` })
    .from(detections)
    .where(
      and(
        eq(detections.environmentId, sourceImages.environmentId),
        eq(detections.sourceImageId, sourceImages.id),
        condition,
      ),
    );
  return exists(ofImage);
}

async function showsEach(db: NodePgDatabase, wanted: ReadonlySet<number>): Promise<SQL> {
  const rows = await rowsOfEach(db, wanted);
  if (rows.size < wanted.size) return sql`false`;
  const groups = [...rows.values()];
  const single = groups.slice(0, IDENTITIES_ONE_BY_ONE);
  const others = groups.slice(IDENTITIES_ONE_BY_ONE);
  return and(
    ...single.map((rowIds) => hasDetection(db, anyOf(detections.identityId, rowIds))),
    others.length === 0 ? undefined : inArray(sourceImages.id, showingAll(db, others)),
  )!;
}

/**
 * The ids by which rows refer to each of these identities: its own, and of those that merge into it.
 * An identity that leaves has none.
 */
async function rowsOfEach(
  db: NodePgDatabase,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const ids = [...wanted];
  const { id, leavingSince, mergedInto } = identities;
  const rows = await db
    .select({ rowId: id, id: sql<number>`coalesce(${mergedInto}, ${id})`.mapWith(id) })
    .from(identities)
    .where(or(and(anyOf(id, ids), isNull(leavingSince)), anyOf(mergedInto, ids)));
  const groups = new Map<number, number[]>(rows.map((row) => [row.id, []]));
  for (const row of rows) groups.get(row.id)!.push(row.rowId);
  return groups;
}

/** The ids of the images that show all of these identities, each a group of ids in rows. */
function showingAll(db: NodePgDatabase, groups: readonly (readonly number[])[]) {
  const rowIds = sql.param(groups.flat());
  const places = sql.param(groups.flatMap((group, place) => group.map(() => place)));
  return db
    .select({ id: detections.sourceImageId })
    .from(detections)
    .innerJoin(
      sql`unnest(${rowIds}::bigint[], ${places}::int[]) as wanted (row_id, place)`,
      sql`wanted.row_id = ${detections.identityId}`,
    )
    .groupBy(detections.sourceImageId)
    .having(sql`count(distinct wanted.place) = ${groups.length}`);
}
