import type { IndexSource, PlacedPoint, PointPosition } from '@sightline/core/vectors/index-source';
import type {
  VectorEntry,
  VectorKind,
  VectorPoint,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';
import type { BinaryRow } from '../../doors/copy-out.ts';
import type { Doors } from '../../doors/doors.ts';
import { whole } from '../database/whole-number.ts';
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
const IN_ENVIRONMENT = ({ environmentId, id, modelId }: PointPosition): string =>
  `p.environment_id = ${whole(environmentId)} AND (p.id, p.model_id) > (${whole(id)}, ${whole(modelId)})`;
const IN_LATER_ENVIRONMENTS = ({ environmentId }: PointPosition): string =>
  `p.environment_id > ${whole(environmentId)}`;

interface ScanPart {
  /** A condition for the points `p`. */
  readonly where: string;
  readonly limit: number;
}

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
    const points = await this.#scan(kind, { where: IN_ENVIRONMENT(after), limit }, signal);
    if (points.length === limit) return points;
    const later = { where: IN_LATER_ENVIRONMENTS(after), limit: limit - points.length };
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
    { where, limit }: ScanPart,
    signal?: AbortSignal,
  ): Promise<readonly PlacedPoint[]> {
    const rows = await this.#doors.copyFromPlatform(
      'index',
      `SELECT p.environment_id, p.model_id, p.dimension, p.id, p.identity_id, crc32c(p.vector), p.vector
       FROM (SELECT p.*, m.embedding_dim::bigint AS dimension
             FROM (${POINTS[kind]}) AS p JOIN models m ON m.id = p.model_id
             WHERE m.embedding_dim IS NOT NULL AND m.environment_id IS NULL AND ${where}
             ORDER BY ${IN_ORDER} LIMIT ${whole(limit)}) AS p
       ORDER BY ${IN_ORDER}`,
      signal,
    );
    return rows.map((row) => toPlacedPoint(kind, row));
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

function toPlacedPoint(kind: VectorKind, row: BinaryRow): PlacedPoint {
  const vector = row.at(-1)!;
  const [environmentId, modelId, dimension, id, identityId, fingerprint] = row
    .slice(0, -1)
    .map((value) => (value === null ? null : Number(value.readBigInt64BE())));
  return {
    space: { environmentId: environmentId!, modelId: modelId!, kind, dimension: dimension! },
    point: {
      id: id!,
      identityId: identityId!,
      fingerprint: fingerprint!,
      vector: toVector(vector),
    },
  };
}
