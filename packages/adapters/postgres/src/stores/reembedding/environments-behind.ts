import type { SQL } from 'drizzle-orm';
import type { EnvironmentBehind } from '@sightline/core/models/model-store';
import { sql } from '../../drizzle.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';

/** Whether a face `d` is a reference for any model. */
export const IS_ENROLLED = sql`exists (
  select from face_references r
  where r.environment_id = d.environment_id and r.detection_id = d.id)`;

/**
 * Whether a detection `d` is a face without an embedding of the model, or is enrolled but has no reference for the
 * model. Faces of which the model cannot make an embedding are excluded.
 */
export function isBehind(modelId: number): SQL {
  return sql`d.type = 'face' and not exists (
      select from unembeddable_faces u
      where u.environment_id = d.environment_id and u.detection_id = d.id
        and u.model_id = ${modelId})
    and (
    not exists (
      select from face_vectors v
      where v.environment_id = d.environment_id and v.detection_id = d.id
        and v.model_id = ${modelId})
    or ${IS_ENROLLED} and not exists (
      select from face_references r
      where r.environment_id = d.environment_id and r.detection_id = d.id
        and r.model_id = ${modelId}))`;
}

/**
 * Returns the environments that have faces without embeddings of the model, in ascending order.
 *
 * @param only the single environment to check; null checks all
 */
export async function environmentsBehind(
  session: TransactionSession,
  modelId: number,
  only: number | null = null,
): Promise<readonly EnvironmentBehind[]> {
  const condition = only === null ? sql`true` : sql`d.environment_id = ${only}`;
  return countBehind(session, modelId, { faces: sql`detections d`, condition });
}

/**
 * Returns the environments, in ascending order, that have faces without embeddings of the model. Considers only faces
 * with events since a snapshot. These suffice, because storing or enrolling a face always emits an event.
 */
export async function behindSince(
  session: TransactionSession,
  modelId: number,
  snapshot: string,
): Promise<readonly EnvironmentBehind[]> {
  const faces = sql`(
    select distinct environment_id, (data ->> 'detection_id')::bigint as id from outbox
    where xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
      and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
      and data ->> 'detection_id' is not null) changed
    join detections d on d.environment_id = changed.environment_id and d.id = changed.id`;
  return countBehind(session, modelId, { faces, condition: sql`true` });
}

async function countBehind(
  { db }: TransactionSession,
  modelId: number,
  { faces, condition }: { readonly faces: SQL; readonly condition: SQL },
): Promise<readonly EnvironmentBehind[]> {
  const images = sql`count(distinct d.source_image_id)`;
  return db
    .select({
      environmentId: sql`d.environment_id`.mapWith(Number),
      images: images.mapWith(Number),
      enrolledImages: sql`${images} filter (where ${IS_ENROLLED})`.mapWith(Number),
    })
    .from(faces)
    .where(sql`${condition} and ${isBehind(modelId)}`)
    .groupBy(sql`d.environment_id`)
    .orderBy(sql`d.environment_id`);
}
