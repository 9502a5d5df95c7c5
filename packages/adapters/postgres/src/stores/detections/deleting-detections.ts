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
 * SQL that replaces the table of images in a `from`. Its counts exclude detections of identities that are being
 * deleted. It has the columns that lists compare, and as `stored_traits` the traits by which indexes find images. Use it
 * only while an identity is being deleted.
 *
 * @param reading `whole` counts the detections of all images at once. `page` counts them image by image, so that a list
 *   in an order that does not depend on the counts can read the first images of an index.
 */
export function imagesWithoutDeleting(reading: 'whole' | 'page'): SQL {
  const hidden =
    reading === 'whole'
      ? sql`left join (
          select d.source_image_id, ${HIDDEN}
          group by d.source_image_id
        ) as hidden on hidden.source_image_id = s.id`
      : sql`left join lateral (
          select ${HIDDEN} and d.source_image_id = s.id
        ) as hidden on true`;
  return sql`(
    select *, face_count + object_count as detection_count, ${TRAITS_OF_COUNTS} as traits
    from (
      select s.environment_id, s.id, s.external_ref, s.uploaded_at, s.traits as stored_traits,
        s.face_count - coalesce(hidden.faces, 0) as face_count,
        s.object_count - coalesce(hidden.objects, 0) as object_count,
        s.tagged_face_count - coalesce(hidden.faces, 0) as tagged_face_count,
        s.manual_count - coalesce(hidden.manual, 0) as manual_count
      from source_images s ${hidden}
    ) as counted
  ) as source_images`;
}

/** The counts of detections `d` of identities that are being deleted. */
const HIDDEN = sql`
  count(*) filter (where d.type = 'face') as faces,
  count(*) filter (where d.type = 'object') as objects,
  count(*) filter (where d.is_manual) as manual
  from detections d join identities
    on identities.environment_id = d.environment_id and identities.id = d.identity_id
  where ${IS_DELETED}`;
