import type {
  FoundPoint,
  GalleryMean,
  GalleryReader,
  GalleryReference,
  Suggestion,
  SuggestionsOfFace,
  SuggestionWriter,
} from '@sightline/core/references/gallery-store';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { SUGGESTIONS } from '../detections/face-list-queries.ts';
import { seenId, stays } from '../identities/seen-identity.ts';
import type { ReadContext, WriteContext } from '../database/store-context.ts';
import { toVector } from './vector-bytes.ts';

type WithBytes<T> = Omit<T, 'vector'> & { readonly vector: Uint8Array };

/** SQL fragments for an identity `i`: the id that readers see, and whether readers see its rows. */
const [SEEN, STAYS] = [seenId('i'), stays('i')];

const REFERENCES = `
  SELECT r.id, ${SEEN} AS "identityId", r.detection_id AS "detectionId", v.vector
  FROM face_references r
  JOIN face_vectors v USING (environment_id, detection_id, model_id)
  ${identityOf('r')}
  WHERE r.model_id = $1 AND ${STAYS}`;

/** The identities that readers see for these ids, without duplicates. */
const NAMED = `
  SELECT DISTINCT ${SEEN} AS id FROM identities i WHERE i.id = any($2::bigint[]) AND ${STAYS}`;

/** For each kind of change `c`, a query for the identity of the changed entity, if the entity still exists. */
const CHANGED = {
  references: `SELECT ${SEEN} AS id FROM face_references r ${identityOf('r')}
    WHERE r.environment_id = c.environment_id AND r.id = c.entity_id AND ${STAYS}`,
  means: `SELECT i.id FROM identity_means m ${identityOf('m')}
    WHERE m.environment_id = c.environment_id AND m.identity_id = c.entity_id
      AND m.model_id = c.model_id AND m.mean IS NOT NULL AND ${STAYS}`,
};

function identityOf(row: string): string {
  return `JOIN identities i
    ON i.environment_id = ${row}.environment_id AND i.id = ${row}.identity_id`;
}

type NullableMembers<T> = { readonly [Name in keyof T]: T[Name] | null };

function isPoint(row: NullableMembers<FoundPoint>): row is FoundPoint {
  return row.pointId !== null;
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
  ): Promise<readonly FoundPoint[]> {
    // No row means that the index is not filled yet. A single row with null ids means that no change is pending.
    const rows = await this.#context.session.prepared<NullableMembers<FoundPoint>>(
      `tail-of-${kind}`,
      `SELECT t."pointId", t."identityId"
       FROM (SELECT id FROM index_readers WHERE name = $4 AND filled_at IS NOT NULL) AS r
       LEFT JOIN LATERAL (
         SELECT DISTINCT c.entity_id AS "pointId", seen.id AS "identityId"
         FROM vector_changes c CROSS JOIN LATERAL (${CHANGED[kind]}) AS seen
         WHERE c.reader_id = r.id AND c.model_id = $1 AND c.kind = $2
         ORDER BY 1 LIMIT $3) AS t ON true`,
      [modelId, kind, limit, this.#context.reader],
    );
    if (rows.length === 0)
      throw new VectorsUnavailable('The vector index is being built; try again in a moment.');
    return rows.filter(isPoint);
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
    return this.#vectors<GalleryReference>(
      `WITH named AS (${NAMED})
       ${REFERENCES} AND r.identity_id IN (
         SELECT id FROM named
         UNION ALL
         SELECT m.id FROM named JOIN identities m ON m.merged_into = named.id)`,
      [modelId, identityIds],
    );
  }

  async live(
    modelId: number,
    kind: 'references' | 'means',
    found: readonly FoundPoint[],
  ): Promise<ReadonlyMap<number, number>> {
    // An identity has a mean as long as it has a reference. References of identities that are being merged into it
    // count as well.
    const rows = await this.#context.session.query<{ id: number; seenId: number }>(
      `WITH found AS (
         SELECT * FROM unnest($2::bigint[], $3::bigint[]) AS f (id, point_id)
       ), rows AS (
         SELECT id, id AS row_id FROM found
         UNION
         SELECT f.id, r.identity_id FROM found f JOIN face_references r ON r.id = f.point_id
         WHERE $4 = 'references'
       )
       SELECT * FROM (
         SELECT rows.id, (
           SELECT m.identity_id FROM identity_means m
           WHERE m.environment_id = i.environment_id AND m.identity_id = ${SEEN}
             AND m.model_id = $1 AND (m.mean IS NOT NULL OR $4 = 'references')) AS "seenId"
         FROM rows JOIN identities i ON i.id = rows.row_id AND ${STAYS}
       ) AS seen
       WHERE "seenId" IS NOT NULL`,
      [
        modelId,
        found.map(({ identityId }) => identityId),
        found.map(({ pointId }) => pointId),
        kind,
      ],
    );
    return new Map(rows.map(({ id, seenId }) => [id, seenId]));
  }

  async isBehind(modelId: number): Promise<boolean> {
    const [row] = await this.#context.session.prepared<{ behind: boolean }>(
      'is-behind',
      'SELECT EXISTS (SELECT FROM embedding_backlogs WHERE model_id = $1) AS behind',
      [modelId],
    );
    return row!.behind;
  }

  async means(modelId: number, identityIds: readonly number[]): Promise<readonly GalleryMean[]> {
    return this.#vectors<GalleryMean>(
      `SELECT m.identity_id AS "identityId", m.mean AS vector
       FROM (${NAMED}) AS named JOIN identity_means m ON m.identity_id = named.id
       WHERE m.model_id = $1 AND m.mean IS NOT NULL`,
      [modelId, identityIds],
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

  async unembeddable(modelId: number, detectionIds: readonly number[]): Promise<readonly number[]> {
    const rows = await this.#context.session.query<{ id: number }>(
      `SELECT detection_id AS id FROM unembeddable_faces
       WHERE model_id = $1 AND detection_id = any($2::bigint[])`,
      [modelId, detectionIds],
    );
    return rows.map(({ id }) => id);
  }

  async rejections(
    detectionIds: readonly number[],
  ): Promise<readonly { readonly detectionId: number; readonly identityId: number }[]> {
    return this.#context.session.query<{ detectionId: number; identityId: number }>(
      `SELECT DISTINCT r.detection_id AS "detectionId", ${SEEN} AS "identityId"
       FROM rejected_pairs r ${identityOf('r')}
       WHERE r.detection_id = any($1::bigint[]) AND ${STAYS}`,
      [detectionIds],
    );
  }

  async suggestions(
    modelId: number,
    detectionIds: readonly number[],
  ): Promise<readonly Suggestion[]> {
    return this.#context.session.query<Suggestion>(SUGGESTIONS, [detectionIds, modelId, -Infinity]);
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

  replace(modelId: number, suggestions: readonly SuggestionsOfFace[]): Promise<boolean> {
    return this.#put(modelId, suggestions, { deletesOthers: true });
  }

  async add(modelId: number, suggestions: readonly SuggestionsOfFace[]): Promise<void> {
    await this.#put(modelId, suggestions, { deletesOthers: false });
  }

  async #put(
    modelId: number,
    suggestions: readonly SuggestionsOfFace[],
    { deletesOthers }: { readonly deletesOthers: boolean },
  ): Promise<boolean> {
    const { session, environmentId, locks } = this.#context;
    const detectionIds = suggestions.map(({ detectionId }) => detectionId);
    locks.requireDetections(detectionIds);
    const pairs = suggestions.flatMap(({ detectionId, candidates }) =>
      candidates.map((candidate) => ({ detectionId, ...candidate })),
    );
    // Suggested identities are not locked. A deleted identity is skipped, and an identity that is being merged is
    // replaced by its target. LIMIT makes the planner look up each identity by its key. After an import the statistics
    // are out of date, and a plan without LIMIT compared each pair of identities.
    const [row] = await session.query<{ count: number }>(
      `WITH named AS (
         SELECT given.id, seen.id AS seen_id FROM unnest($8::bigint[]) AS given (id)
         JOIN LATERAL (
           SELECT ${SEEN} AS seen_id FROM identities i
           WHERE i.environment_id = $1 AND i.id = given.id LIMIT 1
         ) AS i ON true
         JOIN LATERAL (
           SELECT id, deleting_since FROM identities
           WHERE environment_id = $1 AND id = i.seen_id LIMIT 1 FOR KEY SHARE
         ) AS seen ON seen.deleting_since IS NULL
       ), kept AS (
         SELECT s.detection_id, n.seen_id AS identity_id, max(s.similarity) AS similarity
         FROM unnest($4::bigint[], $5::bigint[], $6::float8[])
           AS s (detection_id, identity_id, similarity)
         JOIN named n ON n.id = s.identity_id
         GROUP BY 1, 2
       ), deleted AS (
         DELETE FROM suggestions s
         WHERE $7 AND s.model_id = $2 AND s.detection_id = any($3::bigint[]) AND NOT EXISTS (
           SELECT FROM kept k
           WHERE k.detection_id = s.detection_id AND k.identity_id = s.identity_id)
       ), stored AS (
         INSERT INTO suggestions (environment_id, model_id, detection_id, identity_id, similarity)
         SELECT $1, $2, * FROM kept
         ON CONFLICT (environment_id, detection_id, model_id, identity_id)
         DO UPDATE SET similarity = excluded.similarity
         WHERE suggestions.similarity <> excluded.similarity
       )
       SELECT count(*) FROM kept`,
      [
        environmentId,
        modelId,
        detectionIds,
        pairs.map(({ detectionId }) => detectionId),
        pairs.map(({ identityId }) => identityId),
        pairs.map(({ similarity }) => similarity),
        deletesOthers,
        [...new Set(pairs.map(({ identityId }) => identityId))],
      ],
    );
    return row!.count === pairs.length;
  }
}
