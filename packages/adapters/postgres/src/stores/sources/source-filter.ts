import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { SourceFilter } from '@sightline/core/sources/source-store';
import { and, eq, exists, gte, lt, lte, not, sql } from '../../drizzle.ts';
import { detections } from '../../schema/detections.ts';
import { NEVER } from '../../schema/columns.ts';
import { sourceImages } from '../../schema/source-images.ts';
import { ALL_TRAITS, hasTrait, TRAIT } from '../../schema/source-traits.ts';
import { anyOf } from '../database/any-of.ts';
import { type IdentityRows, rowsOfIdentities } from '../identities/identity-rows.ts';

/**
 * The number of detections of an identity above which checking image after image finds a page sooner than listing the
 * identity's images.
 */
const MANY_DETECTIONS = 30_000;
/** The number of detections of a class or a status above which images are checked one after the other. */
const MANY_SHOWN = 10_000;
/**
 * The total number of detections of several identities up to which their images are intersected. Checking image after
 * image would take far longer if the identities have no image in common.
 */
const MANY_TO_INTERSECT = 300_000;
/**
 * The maximum number of identities whose images are intersected. With more of them, planning would take longer than
 * execution.
 */
const INTERSECTED = 8;

export interface SourceCondition {
  /** The trait numbers that an image may have to meet the condition. */
  readonly traits: readonly number[];
  readonly condition: SQL | undefined;
  /**
   * Whether the condition selects so few images that an index should find all of them, for example those of one
   * identity.
   */
  readonly isSelective: boolean;
}

/** @param use whether the caller reads all matching images, or only a page of them */
export async function conditionOf(
  db: NodePgDatabase,
  filter: SourceFilter,
  use: 'all' | 'page',
): Promise<SourceCondition> {
  const { externalRef, identityIds = [] } = filter;
  const identities = await rowsOfIdentities(db, identityIds);
  const areListed = use === 'all' || canBeListed(identities);
  const [found, checked] = areListed ? [identities, []] : [[], identities];
  const shown = await shownDetections(db, filter, use);
  return {
    traits: acceptedTraits(filter, identities),
    condition: and(
      externalRef === undefined ? undefined : eq(sourceImages.externalRef, externalRef),
      ...timesWithin(filter),
      ...ofRows(filter),
      found.length === 0 ? undefined : showsAll(found),
      ...checked.map(shows),
      ...shown.conditions,
      await withoutIdentity(db, filter, use),
    ),
    isSelective:
      externalRef !== undefined ||
      found.length > 0 ||
      filter.identityTwice === true ||
      shown.isSelective,
  };
}

function ofRows({ except, identityTwice }: SourceFilter): (SQL | undefined)[] {
  return [
    except && not(anyOf(sourceImages.id, except)),
    identityTwice === true ? eq(sourceImages.hasRepeats, true) : undefined,
  ];
}

function timesWithin(filter: SourceFilter): (SQL | undefined)[] {
  const { since, until, takenSince, takenUntil, asOf } = filter;
  const { uploadedAt, takenAt } = sourceImages;
  return [
    asOf && lte(uploadedAt, asOf),
    since && gte(uploadedAt, since),
    until && lt(uploadedAt, until),
    takenSince && gte(takenAt, takenSince),
    takenUntil && and(lt(takenAt, takenUntil), sql`${takenAt} > ${NEVER}::timestamptz`),
  ];
}

async function withoutIdentity(
  db: NodePgDatabase,
  { withoutIdentityId }: SourceFilter,
  use: 'all' | 'page',
): Promise<SQL | undefined> {
  if (withoutIdentityId === undefined) return undefined;
  const [identity] = await rowsOfIdentities(db, [withoutIdentityId]);
  if (identity!.rowIds.length === 0) return undefined;
  // A join answers for all images at once, and a lookup for each image of a page.
  return use === 'all'
    ? sql`not exists (${imagesOf(identity!)} and source_image_id = ${sourceImages.id})`
    : sql`not coalesce(${shows(identity!)}, false)`;
}

/** The conditions on the class and the status of a detection of the image. */
async function shownDetections(
  db: NodePgDatabase,
  { className, reviewStatus }: SourceFilter,
  use: 'all' | 'page',
): Promise<{ readonly conditions: readonly SQL[]; readonly isSelective: boolean }> {
  const conditions: SQL[] = [];
  let isSelective = false;
  for (const detection of [
    className === undefined ? null : eq(detections.className, className),
    reviewStatus === undefined ? null : eq(detections.reviewStatus, reviewStatus),
  ]) {
    if (detection === null) continue;
    const images = sql`select source_image_id from detections where ${detection}`;
    if (use === 'all') {
      conditions.push(sql`${sourceImages.id} in (${images})`);
    } else if (await isRare(db, detection)) {
      conditions.push(sql`${sourceImages.id} = any(array(${images}))`);
      isSelective = true;
    } else {
      conditions.push(
        sql`(${images} and source_image_id = ${sourceImages.id} limit 1) is not null`,
      );
    }
  }
  return { conditions, isSelective };
}

/**
 * Whether so few detections meet the condition that listing their images is faster than checking image after image. A
 * page of a list of images then takes about as long in the one way as in the other.
 */
async function isRare(db: NodePgDatabase, condition: SQL): Promise<boolean> {
  const { rows } = await db.execute<{ is_rare: boolean }>(sql`
    select count(*) <= ${MANY_SHOWN} as is_rare
    from (select from detections where ${condition} limit ${MANY_SHOWN + 1}) as sample`);
  return rows[0]!.is_rare;
}

/** Whether to list the images of the identities, instead of checking image after image. */
function canBeListed(identities: readonly IdentityRows[]): boolean {
  if (identities.some(({ size }) => size <= MANY_DETECTIONS)) return true;
  const total = identities.reduce((sum, { size }) => sum + size, 0);
  return identities.length > 1 && total <= MANY_TO_INTERSECT;
}

/** The trait numbers of images that can pass the filter. */
function acceptedTraits(
  filter: SourceFilter,
  identities: readonly IdentityRows[],
): readonly number[] {
  const required = [
    ...(filter.type === undefined ? [] : [OF_TYPE[filter.type]]),
    ...(filter.hasManualDetections === true ? [TRAIT.manual] : []),
    ...(filter.className === undefined ? [] : [TRAIT.objects]),
    ...identities.flatMap(({ type }) => (type === null ? [] : OF_IDENTITY[type])),
  ];
  // Every detection has a crop, so an image without crops has no detections.
  const showsNothing = filter.noDetections === true || filter.noCrops === true;
  const excluded = [
    ...(showsNothing ? Object.values(TRAIT) : []),
    ...(filter.noTaggedFaces === true ? [TRAIT.taggedFaces] : []),
  ];
  return ALL_TRAITS.filter(
    (traits) =>
      required.every((trait) => hasTrait(traits, trait)) &&
      !excluded.some((trait) => hasTrait(traits, trait)),
  );
}

const OF_TYPE = { face: TRAIT.faces, object: TRAIT.objects } as const;
const OF_IDENTITY = { face: TRAIT.taggedFaces, object: TRAIT.objects } as const;

/** Whether an image has no detections, not even detections of an identity that is being deleted. */
export function isEmpty(db: NodePgDatabase): SQL {
  const ofImage = db
    .select({ one: sql`1` })
    .from(detections)
    .where(
      and(
        eq(detections.environmentId, sourceImages.environmentId),
        eq(detections.sourceImageId, sourceImages.id),
      ),
    );
  return not(exists(ofImage));
}

/**
 * Whether an image shows each of these identities. The image ids are an array, so that Postgres looks up each id in
 * order instead of reading all images for a join.
 */
function showsAll(identities: readonly IdentityRows[]): SQL {
  const images =
    identities.length <= INTERSECTED
      ? sql.join(identities.map(imagesOf), sql` intersect `)
      : imagesOfAll(identities);
  return sql`${sourceImages.id} = any(array(${images}))`;
}

/** The images with a detection of the identity, with duplicates. */
function imagesOf({ rowIds }: IdentityRows): SQL {
  return sql`select source_image_id from detections where ${anyOf(detections.identityId, rowIds)}`;
}

function imagesOfAll(identities: readonly IdentityRows[]): SQL {
  const rowIds = sql.param(identities.flatMap((rows) => rows.rowIds));
  const places = sql.param(identities.flatMap((rows, place) => rows.rowIds.map(() => place)));
  return sql`
    select source_image_id
    from unnest(${rowIds}::bigint[], ${places}::int[]) as requested (row_id, place)
    join detections on detections.identity_id = requested.row_id
    group by source_image_id having count(distinct requested.place) = ${identities.length}`;
}

/**
 * Whether an image shows the identity. A scalar subquery is used, because Postgres would turn EXISTS into a join with
 * all detections.
 */
function shows({ rowIds }: IdentityRows): SQL {
  return sql`(
    select true from detections
    where detections.source_image_id = ${sourceImages.id} and ${anyOf(detections.identityId, rowIds)}
    limit 1)`;
}
