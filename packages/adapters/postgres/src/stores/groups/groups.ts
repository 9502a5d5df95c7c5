import type {
  GroupMember,
  GroupReader,
  NewestTree,
  TreeVersion,
} from '@sightline/core/groups/group-reader';
import type { ReadContext } from '../database/store-context.ts';
import { toFloat64 } from '../references/vector-bytes.ts';
import { unpackAttached } from './attached-bytes.ts';
import { IS_STRANGER } from './followed-face-queries.ts';

interface TreeRow {
  readonly faces: Uint8Array;
  readonly confidences: Uint8Array;
  readonly parts: Uint8Array;
  readonly cosines: Uint8Array;
}

export function groupReader({ session }: ReadContext): GroupReader {
  return {
    async newest(modelId) {
      const [row] = await session.query<NewestTree>(
        `SELECT t.tree, CASE WHEN s.filled_at IS NOT NULL THEN t.as_of END AS "asOf"
         FROM followed_spaces s LEFT JOIN LATERAL (
           SELECT json_build_object('version', version, 'attached', attached) AS tree,
                  coalesce(attached_as_of, as_of) AS as_of
           FROM group_trees WHERE model_id = $1 ORDER BY version DESC LIMIT 1
         ) AS t ON true
         WHERE s.model_id = $1`,
        [modelId],
      );
      return row ?? { tree: null, asOf: null };
    },

    async tree(modelId, version) {
      const [row] = await session.query<TreeRow>(
        `SELECT faces, confidences, parts, cosines FROM group_trees WHERE model_id = $1 AND version = $2`,
        [modelId, version],
      );
      if (row === undefined) return null;
      return {
        faces: toFloat64(row.faces),
        confidences: toFloat64(row.confidences),
        parts: new Int32Array(new Uint8Array(row.parts).buffer),
        cosines: toFloat64(row.cosines),
      };
    },

    async attached(modelId, { version, attached }) {
      const rows = await session.query<{ readonly strangers: Uint8Array }>(
        `SELECT strangers FROM attached_strangers
         WHERE model_id = $1 AND tree_version = $2 AND attached_before < $3 ORDER BY attached_before`,
        [modelId, version, attached],
      );
      const strangers = rows.flatMap((row) => unpackAttached(row.strangers));
      return strangers.length === attached ? strangers : null;
    },

    versions: (modelId, limit) =>
      session.query<TreeVersion>(
        `SELECT version, attached FROM group_trees WHERE model_id = $1 ORDER BY version DESC LIMIT $2`,
        [modelId, limit],
      ),

    async departed() {
      const rows = await session.query<{ id: number }>(
        'SELECT detection_id AS id FROM departed_strangers',
      );
      return rows.map(({ id }) => id);
    },

    async departures(ids) {
      const rows = await session.query<{ id: number }>(
        `SELECT detection_id AS id FROM departed_strangers WHERE detection_id = any($1::bigint[])
         ORDER BY departed_at, detection_id`,
        [ids],
      );
      return rows.map(({ id }) => id);
    },

    async members(ids) {
      if (ids.length === 0) return [];
      return session.query<GroupMember>(
        `SELECT d.id, d.crop_key AS "cropKey", d.confidence, d.detected_at AS "detectedAt"
         FROM detections d WHERE d.id = any($1::bigint[]) AND ${IS_STRANGER}`,
        [ids],
      );
    },

    async countStrangers() {
      const [row] = await session.query<{ count: number }>(
        `SELECT coalesce(sum(delta), 0)::bigint AS count FROM counter_deltas
         WHERE counter = 'strangers' AND subject_id = 0`,
      );
      return row!.count;
    },

    async scoredAt(modelId) {
      const [row] = await session.query<{ at: Date | null }>(
        `SELECT current_at AS at FROM followed_spaces WHERE model_id = $1 AND filled_at IS NOT NULL`,
        [modelId],
      );
      return row?.at ?? null;
    },
  };
}
