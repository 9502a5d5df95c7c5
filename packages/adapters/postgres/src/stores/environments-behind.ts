import type { SQL } from 'drizzle-orm';
import type { EnvironmentBehind } from '@sightline/core/models/model-store';
import { sql } from '../drizzle.ts';
import type { TransactionSession } from '../doors/transaction-session.ts';

/** Whether a face `d` is a reference of some model. */
export const IS_ENROLLED = sql`exists (
  select from face_references r
  where r.environment_id = d.environment_id and r.detection_id = d.id)`;

/** Whether a detection `d` is a face that lacks a vector of the model, or a reference of it. */
export function isBehind(modelId: number): SQL {
  return sql`d.type = 'face' and (
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
 * Environments with such faces, ascending.
 *
 * @param only environments to look at; null: all
 */
export async function environmentsBehind(
  { db }: TransactionSession,
  modelId: number,
  only: readonly number[] | null = null,
): Promise<readonly EnvironmentBehind[]> {
  const images = sql`count(distinct d.source_image_id)`;
  const wanted =
    only === null ? sql`true` : sql`d.environment_id = any(${sql.param(only)}::bigint[])`;
  return db
    .select({
      environmentId: sql`d.environment_id`.mapWith(Number),
      images: images.mapWith(Number),
      enrolledImages: sql`${images} filter (where ${IS_ENROLLED})`.mapWith(Number),
    })
    .from(sql`detections d`)
    .where(sql`${wanted} and ${isBehind(modelId)}`)
    .groupBy(sql`d.environment_id`)
    .orderBy(sql`d.environment_id`);
}
