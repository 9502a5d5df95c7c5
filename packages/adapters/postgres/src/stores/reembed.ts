import type { SQL } from 'drizzle-orm';
import type { ReembedStore } from '@sightline/core/reembedding/reembed-store';
import type { SourceImage } from '@sightline/core/sources/source-image';
import { and, asc, eq, gt, sql } from '../drizzle.ts';
import type { Doors } from '../doors/doors.ts';
import { sourceImages } from '../schema/source-images.ts';
import { columnsWithout } from './columns-without.ts';

type Behind = Awaited<ReturnType<ReembedStore['environmentsBehind']>>[number];
type BehindQuery = Parameters<ReembedStore['imagesBehind']>[0];

const COLUMNS = columnsWithout(sourceImages, 'environmentId', 'mediaBytes');

/** Whether a face `d` is a reference of some model. */
const IS_ENROLLED = sql`exists (
  select from face_references r
  where r.environment_id = d.environment_id and r.detection_id = d.id)`;

export class PostgresReembedStore implements ReembedStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async environmentsBehind(modelId: number, signal?: AbortSignal): Promise<readonly Behind[]> {
    const images = sql`count(distinct d.source_image_id)`;
    return this.#doors.onPlatform(
      'models',
      ({ db }) =>
        db
          .select({
            environmentId: sql`d.environment_id`.mapWith(Number),
            images: images.mapWith(Number),
            enrolledImages: sql`${images} filter (where ${IS_ENROLLED})`.mapWith(Number),
          })
          .from(sql`detections d`)
          .where(isBehind(modelId))
          .groupBy(sql`d.environment_id`)
          .orderBy(sql`d.environment_id`),
      signal,
    );
  }

  async imagesBehind(query: BehindQuery, signal?: AbortSignal): Promise<readonly SourceImage[]> {
    const { environmentId, modelId, enrolled, after, limit } = query;
    const wanted = enrolled ? sql`${isBehind(modelId)} and ${IS_ENROLLED}` : isBehind(modelId);
    const hasSuchFace = sql`exists (
      select from detections d
      where d.environment_id = ${sourceImages.environmentId}
        and d.source_image_id = ${sourceImages.id} and ${wanted})`;
    return this.#doors.onPlatform(
      'models',
      ({ db }) =>
        db
          .select(COLUMNS)
          .from(sourceImages)
          .where(
            and(
              eq(sourceImages.environmentId, environmentId),
              gt(sourceImages.id, after),
              hasSuchFace,
            ),
          )
          .orderBy(asc(sourceImages.id))
          .limit(limit),
      signal,
    );
  }
}

/** Whether a detection `d` is a face that lacks a vector of the model, or a reference of it. */
function isBehind(modelId: number): SQL {
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
