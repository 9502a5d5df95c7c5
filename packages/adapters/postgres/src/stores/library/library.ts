import type {
  LibraryImage,
  LibraryModel,
  LibraryRejection,
  LibraryVector,
} from '@sightline/core/library/library-image';
import type {
  LibraryExtent,
  LibraryPart,
  LibraryPosition,
  LibraryReader,
} from '@sightline/core/library/library-reader';
import { and, asc, isNotNull, isNull, or, sql } from '../../drizzle.ts';
import { detections } from '../../schema/detections.ts';
import { assignedIdentities, identities } from '../../schema/identities.ts';
import { models } from '../../schema/models.ts';
import { sourceImages } from '../../schema/source-images.ts';
import { anyOf } from '../database/any-of.ts';
import { DETECTION_COLUMNS, IS_ASSIGNED, toDetection } from '../detections/detection-rows.ts';
import { seenId, stays } from '../identities/seen-identity.ts';
import { SOURCE_COLUMNS } from '../sources/source-columns.ts';
import type { ReadContext } from '../database/store-context.ts';
import { toVector } from '../references/vector-bytes.ts';

type OfDetection<T> = T & { readonly detectionId: number };

/**
 * Returns the common table expression of the images that show one of the identities $1, or a face that was rejected from
 * one.
 *
 * @param bounds a further condition of the detections `d`, so that a page of images reads those of the page alone
 */
const shown = (bounds = 'true') => `
  WITH named AS (
    SELECT i.id FROM identities i WHERE i.id = any($1::bigint[]) AND i.deleting_since IS NULL
    UNION ALL
    SELECT i.id FROM identities i WHERE i.merged_into = any($1::bigint[])
  ), shown AS (
    SELECT d.source_image_id AS id FROM detections d
    WHERE d.identity_id IN (SELECT id FROM named) AND ${bounds}
    UNION
    SELECT d.source_image_id FROM rejected_pairs p
    JOIN detections d ON d.environment_id = p.environment_id AND d.id = p.detection_id
    WHERE p.identity_id IN (SELECT id FROM named) AND ${bounds}
  )`;

const EXTENT = `
  SELECT coalesce(max(id), 0)::bigint AS "lastImageId",
    (SELECT coalesce(sum(delta), 0)::bigint FROM counter_deltas
     WHERE counter = 'source_images' AND subject_id = 0) AS images
  FROM source_images`;
const EXTENT_OF_NAMED = `${shown()}
  SELECT coalesce(max(id), 0)::bigint AS "lastImageId", count(*)::bigint AS images FROM shown`;

const BYTES = `
  SELECT coalesce(sum(CASE counter WHEN 'storage_bytes' THEN delta ELSE -delta END), 0)::bigint AS bytes
  FROM counter_deltas WHERE counter IN ('storage_bytes', 'set_aside_bytes') AND subject_id = 0`;
const BYTES_OF_NAMED = `${shown()}
  SELECT coalesce(sum(s.media_bytes + CASE WHEN s.original_key IS NULL THEN 0 ELSE s.size_bytes END
      + crops.bytes), 0)::bigint AS bytes
  FROM shown JOIN source_images s ON s.id = shown.id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(d.crop_bytes), 0) AS bytes FROM detections d
    WHERE d.environment_id = s.environment_id AND d.source_image_id = s.id) AS crops`;

const ALL_POSITIONS = `
  SELECT id, detection_count AS "detectionCount" FROM source_images
  WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3`;
const POSITIONS_OF_NAMED = `${shown('d.source_image_id > $2 AND d.source_image_id <= $3')}
  SELECT s.id, s.detection_count AS "detectionCount"
  FROM shown JOIN source_images s ON s.id = shown.id
  ORDER BY s.id LIMIT $4`;

const VECTORS = `
  SELECT v.detection_id AS "detectionId", v.model_id AS "modelId", v.vector,
    r.created_at AS "enrolledAt"
  FROM detections d
  JOIN face_vectors v ON v.environment_id = d.environment_id AND v.detection_id = d.id
  LEFT JOIN face_references r ON r.environment_id = v.environment_id
    AND r.detection_id = v.detection_id AND r.model_id = v.model_id
  WHERE d.source_image_id = any($1::bigint[])
  ORDER BY v.detection_id, v.model_id`;

const REJECTIONS = `
  SELECT p.detection_id AS "detectionId", ${seenId('i')} AS "identity",
    bool_or(p.is_latest) AS "isLatest", max(p.rejected_at) AS "rejectedAt"
  FROM detections d
  JOIN rejected_pairs p ON p.environment_id = d.environment_id AND p.detection_id = d.id
  JOIN identities i ON i.environment_id = p.environment_id AND i.id = p.identity_id
  WHERE d.source_image_id = any($1::bigint[]) AND ${stays('i')}
  GROUP BY 1, 2
  ORDER BY max(p.sequence)`;

const IMAGE_COLUMNS = { ...SOURCE_COLUMNS, mediaBytes: sourceImages.mediaBytes };

const COLUMNS = {
  ...DETECTION_COLUMNS,
  cropBytes: detections.cropBytes,
  isCover: sql<boolean>`exists (select from ${identities}
    where ${identities.environmentId} = ${detections.environmentId}
      and ${identities.id} = ${assignedIdentities.id}
      and ${identities.coverDetectionId} = ${detections.id})`,
};

export class PostgresLibraryReader implements LibraryReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async extent(identityIds: readonly number[] | null): Promise<LibraryExtent> {
    const { session } = this.#context;
    const [extent] =
      identityIds === null
        ? await session.query<LibraryExtent>(EXTENT)
        : await session.query<LibraryExtent>(EXTENT_OF_NAMED, [identityIds]);
    return extent!;
  }

  async fileBytes(identityIds: readonly number[] | null): Promise<number> {
    const { session } = this.#context;
    const [row] =
      identityIds === null
        ? await session.query<{ bytes: number }>(BYTES)
        : await session.query<{ bytes: number }>(BYTES_OF_NAMED, [identityIds]);
    return row!.bytes;
  }

  async positions({
    identityIds,
    after,
    upTo,
    limit,
  }: LibraryPart): Promise<readonly LibraryPosition[]> {
    const { session } = this.#context;
    return identityIds === null
      ? session.query<LibraryPosition>(ALL_POSITIONS, [after, upTo, limit])
      : session.query<LibraryPosition>(POSITIONS_OF_NAMED, [identityIds, after, upTo, limit]);
  }

  async images(ids: readonly number[]): Promise<readonly LibraryImage[]> {
    const { session } = this.#context;
    const [sources, found, vectors, rejections] = await Promise.all([
      session.db
        .select(IMAGE_COLUMNS)
        .from(sourceImages)
        .where(anyOf(sourceImages.id, ids))
        .orderBy(asc(sourceImages.id)),
      this.#detectionsOf(ids),
      session.query<OfDetection<WithBytes<LibraryVector>>>(VECTORS, [ids]),
      session.query<OfDetection<LibraryRejection<number>>>(REJECTIONS, [ids]),
    ]);
    const vectorsOf = Map.groupBy(vectors, ({ detectionId }) => detectionId);
    const rejectionsOf = Map.groupBy(rejections, ({ detectionId }) => detectionId);
    const complete = found.map((detection) => ({
      ...detection,
      vectors: (vectorsOf.get(detection.id) ?? []).map(toLibraryVector),
      rejections: (rejectionsOf.get(detection.id) ?? []).map(toLibraryRejection),
    }));
    const detectionsOf = Map.groupBy(complete, ({ sourceImageId }) => sourceImageId);
    return sources.map(({ mediaBytes, ...source }) => ({
      source,
      mediaBytes,
      detections: detectionsOf.get(source.id) ?? [],
    }));
  }

  async models(ids: readonly number[]): Promise<readonly LibraryModel[]> {
    const { id, name, digest: revision, embeddingDim } = models;
    const rows = await this.#context.session.db
      .select({ id, name, revision, embeddingDim })
      .from(models)
      .where(anyOf(models.id, ids))
      .orderBy(asc(models.id));
    return rows.flatMap(({ revision, embeddingDim, ...model }) =>
      embeddingDim === null || revision === null ? [] : [{ ...model, revision, embeddingDim }],
    );
  }

  async #detectionsOf(sourceIds: readonly number[]) {
    const isSeen = or(isNull(detections.identityId), isNotNull(assignedIdentities.id));
    const rows = await this.#context.session.db
      .select(COLUMNS)
      .from(detections)
      .leftJoin(assignedIdentities, IS_ASSIGNED)
      .where(and(anyOf(detections.sourceImageId, sourceIds), isSeen))
      .orderBy(asc(detections.id));
    return rows.map(({ cropBytes, isCover, ...row }) => ({
      ...toDetection(row),
      cropBytes,
      isCover,
    }));
  }
}

type WithBytes<T> = Omit<T, 'vector'> & { readonly vector: Uint8Array };

function toLibraryVector({ modelId, vector, enrolledAt }: WithBytes<LibraryVector>): LibraryVector {
  return { modelId, vector: toVector(vector), enrolledAt };
}

function toLibraryRejection({
  identity,
  isLatest,
  rejectedAt,
}: LibraryRejection<number>): LibraryRejection<number> {
  return { identity, isLatest, rejectedAt };
}
