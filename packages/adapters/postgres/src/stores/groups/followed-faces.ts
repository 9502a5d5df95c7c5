import {
  CHANGE_KINDS,
  type ChangeKind,
  type FollowedFace,
  type FollowedFaceReader,
  type FollowedFaceWriter,
  type PendingChange,
  type PendingChanges,
  type SpaceState,
} from '@sightline/core/groups/followed-faces';
import type { NeighborList } from '@sightline/core/groups/neighbor-list';
import type { ScoredFace } from '@sightline/core/groups/scored-face';
import type { ReadContext, WriteContext } from '../database/store-context.ts';
import { toBytes, toFloat64, toVector } from '../references/vector-bytes.ts';
import { packAttached } from './attached-bytes.ts';
import {
  COMPARABLE,
  CONFIRMED,
  FACES,
  FIRST_CHANGE,
  LISTING,
  PENDING,
  SET_SCORES,
  STATE,
  STORED,
} from './followed-face-queries.ts';

interface Identified {
  readonly id: number;
}

interface ScoredRow extends Omit<ScoredFace, 'vector' | 'references'> {
  readonly vector: Uint8Array;
  readonly count: number;
  /** Only in the row of the identity's first face. */
  readonly sum: Uint8Array | null;
}

interface StoredRow extends Identified {
  readonly neighbors: boolean;
  readonly suggested: boolean;
  readonly deleted: boolean;
  /** Null without a score. */
  readonly identityId: number | null;
  readonly similarity: number | null;
}

interface NeighborRow extends Omit<NeighborList, 'ids' | 'cosines'> {
  readonly face: number;
  readonly ids: Uint8Array;
  readonly cosines: Uint8Array;
}

/** Reads the faces whose similarity is followed, in the environment of a transaction. */
export function followedFaceReader({ session }: ReadContext): FollowedFaceReader {
  const ids = async (text: string, values: readonly unknown[]): Promise<readonly number[]> =>
    (await session.query<Identified>(text, values)).map(({ id }) => id);
  return {
    async state(modelId, { restMs }) {
      const [row] = await session.query<SpaceState>(STATE, [modelId, restMs / 1000]);
      return row!;
    },

    async pending(modelId, { limit, restMs }): Promise<PendingChanges> {
      const rows = await session.query<PendingChange & { readonly kind: ChangeKind }>(PENDING, [
        modelId,
        limit,
        restMs / 1000,
      ]);
      const byKind = Map.groupBy(rows, ({ kind }) => kind);
      const entries = CHANGE_KINDS.map((kind) => [kind, byKind.get(kind) ?? []]);
      return Object.fromEntries(entries) as PendingChanges;
    },

    async faces(modelId, faces) {
      const rows = await session.query<FollowedFace & { readonly vector: Uint8Array }>(FACES, [
        modelId,
        faces,
      ]);
      return rows.map((row) => ({ ...row, vector: toVector(row.vector) }));
    },

    idsAfter: (modelId, { after, limit }) =>
      ids(
        `SELECT detection_id AS id FROM face_vectors WHERE model_id = $1 AND detection_id > $2
         ORDER BY detection_id LIMIT $3`,
        [modelId, after, limit],
      ),

    listing: (modelId, identityId, { after, limit }) =>
      ids(LISTING, [modelId, identityId, after, limit]),

    confirmed: (identityId, { after, limit }) => ids(CONFIRMED, [identityId, after, limit]),

    async stored(modelId, faces) {
      const rows = await session.query<StoredRow>(STORED, [modelId, faces]);
      const having = (kind: 'neighbors' | 'suggested' | 'deleted'): ReadonlySet<number> =>
        new Set(rows.filter((row) => row[kind]).map(({ id }) => id));
      const scores = rows.flatMap(({ id, identityId, similarity }) =>
        identityId === null || similarity === null ? [] : [{ id, identityId, similarity }],
      );
      return {
        deleted: having('deleted'),
        neighbors: having('neighbors'),
        suggested: having('suggested'),
        scores: new Map(scores.map((score) => [score.id, score])),
      };
    },

    async neighborLists(modelId, { after, limit }) {
      const rows = await session.query<NeighborRow>(
        `SELECT detection_id AS face, fingerprint, is_complete AS "isComplete", ids, cosines
         FROM face_neighbors WHERE model_id = $1 AND detection_id > $2 ORDER BY detection_id LIMIT $3`,
        [modelId, after, limit],
      );
      return rows.map(({ face, fingerprint, isComplete, ...packed }) => {
        const list = { ids: [...toFloat64(packed.ids)], cosines: [...toFloat64(packed.cosines)] };
        return [face, { ...list, fingerprint, isComplete }] as const;
      });
    },

    async comparable(modelId, faces) {
      const rows = await session.query<ScoredRow>(COMPARABLE, [modelId, faces]);
      const sums = new Map(
        rows.flatMap(({ identityId, sum }) => (sum === null ? [] : [[identityId, toFloat64(sum)]])),
      );
      return rows.map(({ id, identityId, isReference, vector, count }) => ({
        id,
        identityId,
        isReference,
        vector: toVector(vector),
        references: { sum: sums.get(identityId)!, count },
      }));
    },
  };
}

/** Stores what follows from the similarity of faces, in the environment of a transaction. */
export function followedFaceWriter(context: WriteContext): FollowedFaceReader & FollowedFaceWriter {
  const { session, environmentId, locks } = context;
  return {
    ...followedFaceReader(context),

    async advance(modelId, turn, step) {
      const values = [modelId, step.turn, step.scannedTo, step.isSettled, step.currentAt];
      const rows =
        turn === null
          ? await session.query(
              `INSERT INTO followed_spaces
                 (environment_id, model_id, turn, scanned_to, is_settled, current_at, filled_at)
               VALUES ($6, $1, $2, $3, $4, coalesce($5, ${FIRST_CHANGE}), CASE WHEN $3::bigint IS NULL THEN now() END)
               ON CONFLICT DO NOTHING RETURNING turn`,
              [...values, environmentId],
            )
          : await session.query(
              `UPDATE followed_spaces SET turn = $2, scanned_to = $3, is_settled = $4,
                 current_at = greatest(current_at, $5),
                 filled_at = CASE WHEN $3::bigint IS NULL THEN coalesce(filled_at, now()) ELSE filled_at END
               WHERE model_id = $1 AND turn = $6 RETURNING turn`,
              [...values, turn],
            );
      return rows.length > 0;
    },

    async acknowledge(changes) {
      if (changes.length === 0) return;
      await session.query('SELECT acknowledge_similarity($1::bigint[])', [changes]);
    },

    async existing(faces) {
      locks.requireDetections(faces);
      const rows = await session.query<Identified>(
        'SELECT id FROM detections WHERE id = any($1::bigint[])',
        [faces],
      );
      return rows.map(({ id }) => id);
    },

    async setNeighbors(modelId, lists) {
      if (lists.length === 0) return;
      await session.query(
        `INSERT INTO face_neighbors
           (environment_id, model_id, detection_id, fingerprint, is_complete, ids, cosines)
         SELECT $1, $2, * FROM unnest($3::bigint[], $4::bigint[], $5::bool[], $6::bytea[], $7::bytea[])
         ON CONFLICT (environment_id, detection_id, model_id) DO UPDATE
         SET fingerprint = excluded.fingerprint, is_complete = excluded.is_complete,
             ids = excluded.ids, cosines = excluded.cosines`,
        [
          environmentId,
          modelId,
          lists.map(([face]) => face),
          lists.map(([, { fingerprint }]) => fingerprint),
          lists.map(([, { isComplete }]) => isComplete),
          lists.map(([, list]) => toBytes(Float64Array.from(list.ids))),
          lists.map(([, { cosines }]) => toBytes(Float64Array.from(cosines))),
        ],
      );
    },

    async removeNeighbors(modelId, faces) {
      if (faces.length === 0) return;
      await session.query(
        'DELETE FROM face_neighbors WHERE model_id = $1 AND detection_id = any($2::bigint[])',
        [modelId, faces],
      );
    },

    async setScores(modelId, scores) {
      if (scores.length === 0) return;
      await session.query(SET_SCORES, [
        environmentId,
        modelId,
        scores.map(({ id }) => id),
        scores.map(({ identityId }) => identityId),
        scores.map(({ similarity }) => similarity),
      ]);
    },

    async removeScores(modelId, faces) {
      if (faces.length === 0) return;
      await session.query(
        'DELETE FROM mismatch_scores WHERE model_id = $1 AND detection_id = any($2::bigint[])',
        [modelId, faces],
      );
    },

    async addTree(modelId, { faces, confidences, parts, cosines }, asOf) {
      const [row] = await session.query<{ readonly version: number }>(
        `INSERT INTO group_trees (environment_id, model_id, as_of, faces, confidences, parts, cosines)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING version`,
        [environmentId, modelId, asOf, ...[faces, confidences, parts, cosines].map(toBytes)],
      );
      return row!.version;
    },

    async confirmTree(modelId, asOf) {
      const trees = await session.query(
        `UPDATE group_trees SET attached_as_of = greatest(as_of, attached_as_of, $2)
         WHERE model_id = $1 AND version = (SELECT max(version) FROM group_trees WHERE model_id = $1)
         RETURNING version`,
        [modelId, asOf],
      );
      if (trees.length > 0) return;
      await session.query(
        `INSERT INTO group_trees (environment_id, model_id, as_of, faces, confidences, parts, cosines)
         VALUES ($1, $2, $3, '', '', '', '')`,
        [environmentId, modelId, asOf],
      );
    },

    async attach(modelId, strangers, { version, from, asOf }) {
      await session.query(
        `WITH grown AS (
           UPDATE group_trees SET attached = $5, attached_as_of = greatest(as_of, attached_as_of, $6)
           WHERE model_id = $2 AND version = $3)
         INSERT INTO attached_strangers (environment_id, model_id, tree_version, attached_before, strangers)
         VALUES ($1, $2, $3, $4, $7)`,
        [
          environmentId,
          modelId,
          version,
          from,
          from + strangers.length,
          asOf,
          packAttached(strangers),
        ],
      );
    },
  };
}
