import type { DueSpace, SimilarityQueue } from '@sightline/core/similarity/similarity-queue';
import type { Doors } from '../../doors/doors.ts';
import { READER } from './followed-face-queries.ts';

/** The most lists of neighbors that one statement removes. */
const LISTS_AT_ONCE = 10_000;
/** How long a tree is kept after the next one. */
const KEPT_MINUTES = 60;
/** How long departures are kept after the oldest tree of their environment, so that open transactions have ended. */
const DEPARTED_MINUTES = 5;

/** The most departures that one statement reads or removes. */
const DEPARTURES_AT_ONCE = 5_000;

/** Whether the departure `d` was followed for each model. The index of changes has the model before the face. */
const NOT_PENDING = `NOT EXISTS (
  SELECT FROM models m CROSS JOIN LATERAL (
    SELECT FROM vector_changes c
    WHERE c.reader_id = ${READER} AND c.environment_id = d.environment_id AND c.model_id = m.id
      AND c.kind = 'faces' AND c.entity_id = d.detection_id LIMIT 1) AS pending
  WHERE m.environment_id IS NULL AND m.embedding_dim IS NOT NULL)`;

/** Parameters: environment, model, position. At rest, the newest trees of the other models lack the faces, too. */
const ABSORBABLE = `
  SELECT d.detection_id AS id FROM departed_strangers d
  WHERE d.environment_id = $1 AND d.detection_id > $3 AND ${NOT_PENDING}
    AND NOT EXISTS (
      SELECT FROM followed_spaces s WHERE s.environment_id = $1 AND s.model_id <> $2
        AND (NOT s.is_settled OR s.scanned_to IS NOT NULL))
  ORDER BY d.detection_id LIMIT ${DEPARTURES_AT_ONCE}`;

/** Parameters: environment, faces. Rows that other transactions have locked are left for the next tree. */
const ABSORB = `
  DELETE FROM departed_strangers WHERE environment_id = $1 AND detection_id IN (
    SELECT d.detection_id FROM departed_strangers d
    WHERE d.environment_id = $1 AND d.detection_id = ANY ($2::bigint[]) AND ${NOT_PENDING}
    FOR UPDATE SKIP LOCKED)`;

/** The columns of a model `m` that the follower needs. */
const MODEL = `m.embedding_dim AS dimension, m.similarity_calibration AS "similarityCalibration",
  m.status NOT IN ('loading', 'active') AS "isPrevious"`;

/** The environments `e` and models `m` with vectors. Nothing follows an environment that is being deleted. */
const SPACES = `
  FROM environments e CROSS JOIN models m
  WHERE m.environment_id IS NULL AND e.deleting_since IS NULL AND EXISTS (
    SELECT FROM face_vectors v WHERE v.environment_id = e.id AND v.model_id = m.id)`;

export function similarityQueue(doors: Doors): SimilarityQueue {
  async function query<Row>(
    text: string,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    return doors.onPlatform('similarity', (session) => session.query<Row>(text, values), signal);
  }
  return {
    async next(after, signal) {
      const [row] = await query<DueSpace>(
        `SELECT due.environment_id AS "environmentId", due.model_id AS "modelId",
                ${MODEL}
         FROM (
           (SELECT environment_id, model_id FROM vector_changes
            WHERE reader_id = ${READER} AND (environment_id, model_id) > ($1, $2)
            ORDER BY environment_id, model_id LIMIT 1)
           UNION
           (SELECT environment_id, model_id FROM followed_spaces
            WHERE (scanned_to IS NOT NULL OR NOT is_settled) AND (environment_id, model_id) > ($1, $2)
            ORDER BY environment_id, model_id LIMIT 1)
         ) AS due JOIN models m ON m.id = due.model_id
         ORDER BY 1, 2 LIMIT 1`,
        [after?.environmentId ?? 0, after?.modelId ?? 0],
        signal,
      );
      return row ?? null;
    },

    spaces: (signal) =>
      query<DueSpace>(
        `SELECT e.id AS "environmentId", m.id AS "modelId", ${MODEL}
         ${SPACES} ORDER BY 1, 2`,
        [],
        signal,
      ),

    async scanAll(signal) {
      let removed: number;
      do {
        // Lists that are there would be taken for right.
        const rows = await query(
          `DELETE FROM face_neighbors WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM face_neighbors LIMIT ${LISTS_AT_ONCE})) RETURNING 1`,
          [],
          signal,
        );
        removed = rows.length;
      } while (removed === LISTS_AT_ONCE);
      // A space without vectors needs no scan; its first change begins it.
      await query(
        `INSERT INTO followed_spaces AS s (environment_id, model_id, scanned_to)
         SELECT e.id, m.id, 0 ${SPACES}
         ON CONFLICT (environment_id, model_id) 
         DO UPDATE SET scanned_to = 0, is_settled = false, turn = s.turn + 1`,
        [],
        signal,
      );
    },

    async absorb({ environmentId, modelId }, isInTree, signal) {
      for (let after: number | null = 0; after !== null;) {
        const rows: readonly { readonly id: number }[] = await query(
          ABSORBABLE,
          [environmentId, modelId, after],
          signal,
        );
        const ids = rows.map(({ id }) => id).filter((id) => !isInTree(id));
        if (ids.length > 0) await query(ABSORB, [environmentId, ids], signal);
        after = rows.length < DEPARTURES_AT_ONCE ? null : rows.at(-1)!.id;
      }
    },

    async prune(signal) {
      await query(
        `DELETE FROM group_trees t WHERE EXISTS (
           SELECT FROM group_trees n
           WHERE n.environment_id = t.environment_id AND n.model_id = t.model_id AND n.version > t.version
             AND n.made_at < now() - make_interval(mins => ${KEPT_MINUTES}))`,
        [],
        signal,
      );
      await query(
        `DELETE FROM departed_strangers g
         WHERE g.departed_at < now() - make_interval(mins => ${DEPARTED_MINUTES}) AND NOT EXISTS (
           SELECT FROM group_trees t WHERE t.environment_id = g.environment_id
             AND t.as_of - make_interval(mins => ${DEPARTED_MINUTES}) < g.departed_at)`,
        [],
        signal,
      );
    },
  };
}
