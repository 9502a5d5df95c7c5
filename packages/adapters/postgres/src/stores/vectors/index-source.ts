import type { IndexSource, PlacedPoint, PointPosition } from '@sightline/core/vectors/index-source';
import type {
  VectorEntry,
  VectorKind,
  VectorPoint,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';
import type { Doors } from '../../doors/doors.ts';
import { toVector } from '../references/vector-bytes.ts';

interface Page {
  readonly after: number;
  readonly limit: number;
}

/**
 * The points of each kind, with their environment and model. Columns of other tables are read by subqueries, because a
 * join would scan the other table from its beginning.
 */
const POINTS: Readonly<Record<VectorKind, string>> = {
  faces: `
    SELECT v.environment_id, v.model_id, v.detection_id AS id, v.vector,
           (SELECT d.identity_id FROM detections d
            WHERE d.environment_id = v.environment_id AND d.id = v.detection_id) AS identity_id
    FROM face_vectors v`,
  references: `
    SELECT r.environment_id, r.model_id, r.id, r.identity_id,
           (SELECT v.vector FROM face_vectors v
            WHERE v.environment_id = r.environment_id AND v.detection_id = r.detection_id
              AND v.model_id = r.model_id) AS vector
    FROM face_references r`,
  means: `
    SELECT environment_id, model_id, identity_id AS id, identity_id, mean AS vector
    FROM identity_means WHERE mean IS NOT NULL`,
};

const KINDS = Object.keys(POINTS) as VectorKind[];

/**
 * An entry of the scan. The fingerprint is a checksum of the vector's bytes, which is the same on every server and
 * version.
 */
const ENTRY = 'p.id, p.identity_id AS "identityId", crc32c(p.vector) AS fingerprint';

/**
 * The order of a scan, which follows the primary keys. References are an exception, because their key lacks the model.
 */
const IN_ORDER = 'p.environment_id, p.id, p.model_id';

/**
 * The points behind a position: first those of its environment, then those of later environments. These are two
 * conditions, because Postgres estimates a comparison of rows by the first column alone. With the environment as the
 * first column, it expects no row behind a position in the last environment, and reads the whole table for each page.
 */
const IN_ENVIRONMENT = 'p.environment_id = $2 AND (p.id, p.model_id) > ($3, $4)';
const IN_LATER_ENVIRONMENTS = 'p.environment_id > $2';

interface ScanPart {
  readonly where: string;
  readonly values: readonly number[];
  readonly limit: number;
}

type ScannedRow = Omit<VectorSpace, 'kind'> & VectorEntry & { readonly vector: Uint8Array };

const IN_SPACE = 'p.environment_id = $1 AND p.model_id = $2';

export class PostgresIndexSource implements IndexSource {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async possibleSpaces(signal?: AbortSignal): Promise<readonly VectorSpace[]> {
    return this.#query<VectorSpace>(
      `SELECT e.id AS "environmentId", m.id AS "modelId", k.kind, m.embedding_dim AS dimension
       FROM environments e CROSS JOIN models m CROSS JOIN unnest($1::text[]) AS k (kind)
       WHERE m.embedding_dim IS NOT NULL AND m.environment_id IS NULL ORDER BY 1, 2, 3`,
      [KINDS],
      signal,
    );
  }

  async points(
    { environmentId, modelId, kind }: VectorSpace,
    entityIds: readonly number[],
    signal?: AbortSignal,
  ): Promise<readonly VectorPoint[]> {
    return this.#points(
      `SELECT ${ENTRY}, p.vector FROM (${POINTS[kind]}) AS p
       WHERE ${IN_SPACE} AND p.id = any($3::bigint[]) ORDER BY p.id`,
      [environmentId, modelId, entityIds],
      signal,
    );
  }

  async scan(
    kind: VectorKind,
    { after, limit }: { readonly after: PointPosition; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly PlacedPoint[]> {
    const { environmentId, id, modelId } = after;
    const values = [environmentId, id, modelId];
    const points = await this.#scan(kind, { where: IN_ENVIRONMENT, values, limit }, signal);
    if (points.length === limit) return points;
    const later = {
      where: IN_LATER_ENVIRONMENTS,
      values: [environmentId],
      limit: limit - points.length,
    };
    return [...points, ...(await this.#scan(kind, later, signal))];
  }

  async list(
    { environmentId, modelId, kind }: VectorSpace,
    { after, limit }: Page,
    signal?: AbortSignal,
  ): Promise<readonly VectorEntry[]> {
    return this.#query<VectorEntry>(
      `SELECT ${ENTRY} FROM (${POINTS[kind]}) AS p
       WHERE ${IN_SPACE} AND p.id > $3 ORDER BY p.id LIMIT $4`,
      [environmentId, modelId, after, limit],
      signal,
    );
  }

  /** Limits the inner query, so that each vector is read once for the result and its fingerprint. */
  async #scan(
    kind: VectorKind,
    { where, values, limit }: ScanPart,
    signal?: AbortSignal,
  ): Promise<readonly PlacedPoint[]> {
    const rows = await this.#query<ScannedRow>(
      `SELECT p.environment_id AS "environmentId", p.model_id AS "modelId", p.dimension, ${ENTRY}, p.vector
       FROM (SELECT p.*, m.embedding_dim AS dimension
             FROM (${POINTS[kind]}) AS p JOIN models m ON m.id = p.model_id
             WHERE m.embedding_dim IS NOT NULL AND m.environment_id IS NULL AND ${where}
             ORDER BY ${IN_ORDER} LIMIT $1) AS p
       ORDER BY ${IN_ORDER}`,
      [limit, ...values],
      signal,
    );
    return rows.map(({ environmentId, modelId, dimension, vector, ...entry }) => ({
      space: { environmentId, modelId, kind, dimension },
      point: { ...entry, vector: toVector(vector) },
    }));
  }

  async #points(
    text: string,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly VectorPoint[]> {
    const rows = await this.#query<VectorEntry & { vector: Uint8Array }>(text, values, signal);
    return rows.map((row) => ({ ...row, vector: toVector(row.vector) }));
  }

  async #query<Row>(
    text: string,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    return this.#doors.onPlatform('index', (session) => session.query<Row>(text, values), signal);
  }
}
