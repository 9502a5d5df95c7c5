import type {
  GalleryMean,
  GalleryReader,
  GalleryReference,
  SuggestionWriter,
} from '@sightline/core/references/gallery-store';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { ReadContext, WriteContext } from './store-context.ts';
import { toVector } from './vector-bytes.ts';

type Suggestion = Awaited<ReturnType<GalleryReader['suggestions']>>[number];
type WithBytes<T> = Omit<T, 'vector'> & { readonly vector: Uint8Array };

const REFERENCES = `
  SELECT r.id, r.identity_id AS "identityId", r.detection_id AS "detectionId", v.vector
  FROM face_references r
  JOIN face_vectors v USING (environment_id, detection_id, model_id)
  WHERE r.model_id = $1 AND ${stays('r')}`;

/** By kind: whether the entity of a change `c` still exists. */
const EXISTS = {
  references: `SELECT FROM face_references r
    WHERE r.environment_id = c.environment_id AND r.id = c.entity_id AND ${stays('r')}`,
  means: `SELECT FROM identity_means m
    WHERE m.environment_id = c.environment_id AND m.identity_id = c.entity_id
      AND m.model_id = c.model_id AND m.mean IS NOT NULL AND ${stays('m')}`,
};

/** Whether the identity of a row is not being removed. */
function stays(row: string): string {
  return `NOT EXISTS (
    SELECT FROM identities i
    WHERE i.environment_id = ${row}.environment_id AND i.id = ${row}.identity_id
      AND i.leaving_since IS NOT NULL)`;
}

export class PostgresGalleryReader implements GalleryReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async tail(
    modelId: number,
    kind: 'references' | 'means',
    limit: number,
  ): Promise<readonly number[]> {
    // At least one row if the index is filled; its id is null if no change is pending.
    const rows = await this.#context.session.query<{ id: number | null }>(
      `SELECT t.id
       FROM (SELECT id FROM index_readers WHERE name = $4 AND filled_at IS NOT NULL) AS r
       LEFT JOIN LATERAL (
         SELECT DISTINCT c.entity_id AS id FROM vector_changes c
         WHERE c.reader_id = r.id AND c.model_id = $1 AND c.kind = $2 AND EXISTS (${EXISTS[kind]})
         ORDER BY 1 LIMIT $3) AS t ON true`,
      [modelId, kind, limit, this.#context.reader],
    );
    if (rows.length === 0) throw new VectorsUnavailable('The index of vectors is being filled.');
    return rows.flatMap(({ id }) => (id === null ? [] : [id]));
  }

  async references(modelId: number, ids: readonly number[]): Promise<readonly GalleryReference[]> {
    return this.#vectors<GalleryReference>(`${REFERENCES} AND r.id = any($2::bigint[])`, [
      modelId,
      ids,
    ]);
  }

  async referencesOf(
    modelId: number,
    identityIds: readonly number[],
  ): Promise<readonly GalleryReference[]> {
    return this.#vectors<GalleryReference>(`${REFERENCES} AND r.identity_id = any($2::bigint[])`, [
      modelId,
      identityIds,
    ]);
  }

  async live(
    modelId: number,
    kind: 'references' | 'means',
    identityIds: readonly number[],
  ): Promise<readonly number[]> {
    // An identity has a row here as long as it has a reference.
    const rows = await this.#context.session.query<{ id: number }>(
      `SELECT m.identity_id AS id FROM identity_means m
       WHERE m.model_id = $1 AND m.identity_id = any($2::bigint[])
         AND (m.mean IS NOT NULL OR $3 = 'references') AND ${stays('m')}`,
      [modelId, identityIds, kind],
    );
    return rows.map(({ id }) => id);
  }

  async isBehind(modelId: number): Promise<boolean> {
    const [row] = await this.#context.session.query<{ behind: boolean }>(
      'SELECT EXISTS (SELECT FROM embedding_backlogs WHERE model_id = $1) AS behind',
      [modelId],
    );
    return row!.behind;
  }

  async means(modelId: number, identityIds: readonly number[]): Promise<readonly GalleryMean[]> {
    return this.#vectors<GalleryMean>(
      `SELECT m.identity_id AS "identityId", m.mean AS vector FROM identity_means m
       WHERE m.model_id = $1 AND m.identity_id = any($2::bigint[]) AND m.mean IS NOT NULL
         AND ${stays('m')}`,
      [modelId, identityIds],
    );
  }

  async embeddings(
    modelId: number,
    detectionIds: readonly number[],
  ): Promise<readonly { readonly detectionId: number; readonly vector: Float32Array }[]> {
    return this.#vectors<{ readonly detectionId: number; readonly vector: Float32Array }>(
      `SELECT detection_id AS "detectionId", vector FROM face_vectors
       WHERE model_id = $1 AND detection_id = any($2::bigint[])`,
      [modelId, detectionIds],
    );
  }

  async embedded(modelId: number, detectionIds: readonly number[]): Promise<readonly number[]> {
    const rows = await this.#context.session.query<{ id: number }>(
      `SELECT detection_id AS id FROM face_vectors
       WHERE model_id = $1 AND detection_id = any($2::bigint[])`,
      [modelId, detectionIds],
    );
    return rows.map(({ id }) => id);
  }

  async rejections(
    detectionIds: readonly number[],
  ): Promise<readonly { readonly detectionId: number; readonly identityId: number }[]> {
    return this.#context.session.query<{ detectionId: number; identityId: number }>(
      `SELECT detection_id AS "detectionId", identity_id AS "identityId" FROM rejected_pairs
       WHERE detection_id = any($1::bigint[])`,
      [detectionIds],
    );
  }

  async suggestions(
    modelId: number,
    detectionIds: readonly number[],
  ): Promise<readonly Suggestion[]> {
    return this.#context.session.query<Suggestion>(
      `SELECT s.detection_id AS "detectionId", s.identity_id AS "identityId", s.similarity
       FROM suggestions s
       WHERE s.model_id = $1 AND s.detection_id = any($2::bigint[]) AND ${stays('s')}
       ORDER BY s.similarity DESC, s.identity_id`,
      [modelId, detectionIds],
    );
  }

  async #vectors<T extends { readonly vector: Float32Array }>(
    text: string,
    values: readonly unknown[],
  ): Promise<readonly T[]> {
    const rows = await this.#context.session.query<WithBytes<T>>(text, values);
    return rows.map((row) => ({ ...row, vector: toVector(row.vector) }) as unknown as T);
  }
}

export class PostgresSuggestionWriter implements SuggestionWriter {
  readonly #context: WriteContext;

  constructor(context: WriteContext) {
    this.#context = context;
  }

  async replace(
    modelId: number,
    suggestions: Parameters<SuggestionWriter['replace']>[1],
  ): Promise<void> {
    const { session, environmentId, locks } = this.#context;
    const detectionIds = suggestions.map(({ detectionId }) => detectionId);
    locks.requireDetections(detectionIds);
    const pairs = suggestions.flatMap(({ detectionId, candidates }) =>
      candidates.map((candidate) => ({ detectionId, ...candidate })),
    );
    // Suggested identities are not locked: one that is deleted concurrently is left out.
    await session.query(
      `WITH kept AS (
         SELECT s.* FROM unnest($4::bigint[], $5::bigint[], $6::float8[])
           AS s (detection_id, identity_id, similarity)
         JOIN identities i ON i.id = s.identity_id AND i.leaving_since IS NULL
         FOR KEY SHARE OF i
       ), gone AS (
         DELETE FROM suggestions s
         WHERE s.model_id = $2 AND s.detection_id = any($3::bigint[]) AND NOT EXISTS (
           SELECT FROM kept k
           WHERE k.detection_id = s.detection_id AND k.identity_id = s.identity_id)
       )
       INSERT INTO suggestions (environment_id, model_id, detection_id, identity_id, similarity)
       SELECT $1, $2, * FROM kept
       ON CONFLICT (environment_id, detection_id, model_id, identity_id)
       DO UPDATE SET similarity = excluded.similarity`,
      [
        environmentId,
        modelId,
        detectionIds,
        pairs.map(({ detectionId }) => detectionId),
        pairs.map(({ identityId }) => identityId),
        pairs.map(({ similarity }) => similarity),
      ],
    );
  }
}
