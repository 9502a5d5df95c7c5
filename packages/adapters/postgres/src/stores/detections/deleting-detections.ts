import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { exists, sql } from '../../drizzle.ts';
import { identities } from '../../schema/identities.ts';
import { TRAITS_OF_COUNTS } from '../../schema/source-traits.ts';
import { isDeleted } from '../identities/seen-identity.ts';

const IS_DELETED = sql.raw(isDeleted('identities'));

/**
 * Whether an identity is being deleted. Its detections still count in the rows of images, but readers must not see
 * them.
 */
export async function isAnythingDeleting(db: NodePgDatabase): Promise<boolean> {
  const deleting = db
    .select({ one: sql`1` })
    .from(identities)
    .where(IS_DELETED);
  const [row] = await db
    .select({ isDeleting: exists(deleting).mapWith(Boolean) })
    .from(sql`(values (1)) as one`);
  return row!.isDeleting;
}

/**
 * Detections `d` of identities that are being deleted, in one image. A scalar subquery looks up the identity. For a join,
 * Postgres would search all detections of those identities again for each image.
 */
const deletingIn = (imageId: SQL): SQL => sql`
  detections d where d.source_image_id = ${imageId} and (
    select ${IS_DELETED} from identities
    where identities.environment_id = d.environment_id and identities.id = d.identity_id)`;

/** Whether an image has no detection of an identity that is being deleted, so that its stored counts are right. */
export const IS_UNAFFECTED = sql`(
  select true from ${deletingIn(sql`source_images.id`)} limit 1) is null`;

/**
 * SQL that replaces the table of images in a `from`. Its counts exclude detections of identities that are being
 * deleted. It has the columns that lists compare, and as `stored_traits` the traits by which indexes find images. Use it
 * only while an identity is being deleted.
 *
 * @param reading `all` counts the detections of all images at once. `one by one` counts them image by image, so that a
 *   list can read the first images of an index. `affected` has only the images with such detections.
 */
export function imagesWithoutDeleting(reading: 'all' | 'one by one' | 'affected'): SQL {
  return sql`(
    select *, face_count + object_count as detection_count, ${TRAITS_OF_COUNTS} as traits
    from (
      select s.environment_id, s.id, s.external_ref, s.uploaded_at, s.traits as stored_traits,
        s.face_count - coalesce(hidden.faces, 0) as face_count,
        s.object_count - coalesce(hidden.objects, 0) as object_count,
        s.tagged_face_count - coalesce(hidden.faces, 0) as tagged_face_count,
        s.manual_count - coalesce(hidden.manual, 0) as manual_count
      from source_images s ${HIDDEN[reading]}
    ) as counted
  ) as source_images`;
}

const COUNTS = sql`
  count(*) filter (where d.type = 'face') as faces,
  count(*) filter (where d.type = 'object') as objects,
  count(*) filter (where d.is_manual) as manual`;

const OF_ALL = sql`(
  select d.source_image_id, ${COUNTS}
  from detections d join identities
    on identities.environment_id = d.environment_id and identities.id = d.identity_id
  where ${IS_DELETED}
  group by d.source_image_id
) as hidden on hidden.source_image_id = s.id`;

const HIDDEN = {
  all: sql`left join ${OF_ALL}`,
  affected: sql`join ${OF_ALL}`,
  'one by one': sql`left join lateral (
    select ${COUNTS} from ${deletingIn(sql`s.id`)}
  ) as hidden on true`,
} as const;
