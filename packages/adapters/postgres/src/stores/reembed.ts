import type { ReembedStore } from '@sightline/core/reembedding/reembed-store';
import type { SourceImage } from '@sightline/core/sources/source-image';
import { and, asc, eq, gt, sql } from '../drizzle.ts';
import type { Doors } from '../doors/doors.ts';
import { sourceImages } from '../schema/source-images.ts';
import { isBehind, IS_ENROLLED } from './environments-behind.ts';
import { SOURCE_COLUMNS } from './source-columns.ts';

type BehindQuery = Parameters<ReembedStore['imagesBehind']>[0];

export class PostgresReembedStore implements ReembedStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
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
          .select(SOURCE_COLUMNS)
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
