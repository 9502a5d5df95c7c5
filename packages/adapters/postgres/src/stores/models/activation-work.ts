import type { ActivationWork } from '@sightline/core/models/activation-store';
import { sql } from '../../drizzle.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { isBehind, IS_ENROLLED } from '../reembedding/environments-behind.ts';

/** The recent jobs from which the rate is computed, and the least number of their images. */
const JOBS = 20;
const LEAST_IMAGES = 10;

/**
 * The images per second of recent jobs. Jobs that ran at the same time shared the models, so their common time counts once.
 */
const RATE = `
  WITH recent AS (
    SELECT done, params ->> 'modelId' = $1::text AS is_same,
      tstzrange(started_at, coalesce(finished_at, moved_at)) AS time
    FROM jobs
    WHERE type IN ('reembed', 'activate_model') AND done > 0
      AND started_at > now() - interval '30 days' AND coalesce(finished_at, moved_at) > started_at
    ORDER BY is_same DESC, started_at DESC LIMIT ${JOBS}
  ), measured AS (
    SELECT is_same, sum(done) AS images, (
      SELECT sum(extract(epoch FROM upper(r) - lower(r))) FROM unnest(range_agg(time)) AS r) AS seconds
    FROM recent GROUP BY is_same
  )
  SELECT (images / seconds)::float8 AS rate FROM measured WHERE images >= ${LEAST_IMAGES}
  ORDER BY is_same DESC LIMIT 1`;

export async function activationWork(
  session: TransactionSession,
  modelId: number,
): Promise<ActivationWork> {
  const images = sql`count(distinct (d.environment_id, d.source_image_id))`;
  const hasVector = sql`exists (
    select from face_vectors v
    where v.environment_id = d.environment_id and v.detection_id = d.id and v.model_id = ${modelId})`;
  const [counts] = await session.db
    .select({
      images: images.mapWith(Number),
      enrolledImages: sql`${images} filter (where ${IS_ENROLLED})`.mapWith(Number),
      faces: sql`count(*) filter (where not ${hasVector})`.mapWith(Number),
    })
    .from(sql`detections d`)
    .where(isBehind(modelId));
  const [measured] = await session.query<{ rate: number }>(RATE, [String(modelId)]);
  return { ...counts!, imagesPerSecond: measured?.rate ?? null };
}
