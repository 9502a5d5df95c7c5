import type { Identity } from '@sightline/core/identities/identity';
import type {
  Conflicts,
  Merge,
  MergeWriter,
  RejectionPage,
} from '@sightline/core/identities/merge-store';
import { takeInMeans } from '../references/identity-means.ts';
import type { WriteContext } from '../database/store-context.ts';

/** The next detections to move. Parameters: $1 is the identity that is being merged, and $3 the limit. */
const NEXT = `
  SELECT id, source_image_id FROM detections WHERE identity_id = $1 ORDER BY detected_at, id LIMIT $3`;

export class PostgresMergeWriter implements MergeWriter {
  readonly #context: WriteContext;

  constructor(context: WriteContext) {
    this.#context = context;
  }

  async begin(source: Identity, target: Identity): Promise<void> {
    const merge = { from: source.id, into: target.id };
    const { session } = this.#locked(merge);
    await session.query(
      `UPDATE identities SET deleting_since = now(), merged_into = $2, cover_detection_id = NULL
       WHERE id = $1`,
      [source.id, target.id],
    );
    await session.query(
      `UPDATE identities SET cover_detection_id = coalesce(cover_detection_id, $2),
         external_ref = coalesce(external_ref, $3)
       WHERE id = $1`,
      [target.id, source.coverDetectionId, source.externalRef],
    );
    await takeInMeans(this.#context, merge);
  }

  async conflicts(merge: Merge, { after, limit }: RejectionPage): Promise<Conflicts> {
    const rows = await this.#locked(merge).session.query<{ id: number; isAssigned: boolean }>(
      `WITH page AS MATERIALIZED (
         SELECT id FROM (
           (SELECT detection_id AS id FROM rejected_pairs
            WHERE identity_id = $1 AND detection_id > $3 ORDER BY 1 LIMIT $4)
           UNION
           (SELECT detection_id FROM rejected_pairs
            WHERE identity_id = $2 AND detection_id > $3 ORDER BY 1 LIMIT $4)
         ) AS rejected ORDER BY id LIMIT $4
       )
       SELECT id, (
         SELECT d.identity_id IN ($1, $2) FROM detections d WHERE d.id = page.id
       ) IS TRUE AS "isAssigned"
       FROM page ORDER BY id`,
      [merge.from, merge.into, after, limit],
    );
    return {
      ids: rows.filter(({ isAssigned }) => isAssigned).map(({ id }) => id),
      last: rows.length === limit ? rows.at(-1)!.id : null,
    };
  }

  async doubles(merge: Merge, limit: number): Promise<readonly number[]> {
    const rows = await this.#locked(merge).session.query<{ id: number }>(
      `WITH moving AS (
         SELECT source_image_id AS id FROM (${NEXT}) AS next GROUP BY source_image_id
       ), images AS MATERIALIZED (
         SELECT id FROM moving WHERE (
           SELECT true FROM detections d
           WHERE d.source_image_id = moving.id AND d.identity_id = $2 LIMIT 1)
       ), faces AS (
         SELECT d.id, row_number() OVER (
           PARTITION BY d.source_image_id ORDER BY d.similarity DESC NULLS LAST, d.id) AS place
         FROM images CROSS JOIN LATERAL (
           SELECT * FROM detections d
           WHERE d.source_image_id = images.id AND d.identity_id IN ($1, $2)
             AND d.type = 'face' AND d.decided_by = 'automatic' OFFSET 0
         ) AS d
       )
       SELECT id FROM faces WHERE place > 1 ORDER BY id`,
      [merge.from, merge.into, limit],
    );
    return rows.map(({ id }) => id);
  }

  async suggest(detectionIds: readonly number[], merge: Merge): Promise<void> {
    await this.#locked(merge).session.query(
      `INSERT INTO suggestions AS s (environment_id, model_id, detection_id, identity_id, similarity)
       SELECT d.environment_id, m.id, d.id, $2, d.similarity
       FROM detections d JOIN models m ON m.status = 'active' AND m.task = 'face'
       WHERE d.id = any($1::bigint[]) AND d.similarity IS NOT NULL
       ON CONFLICT (environment_id, detection_id, model_id, identity_id)
       DO UPDATE SET similarity = greatest(s.similarity, excluded.similarity)`,
      [detectionIds, merge.into],
    );
  }

  async unassign(detectionIds: readonly number[], merge: Merge): Promise<void> {
    await this.#locked(merge).session.query(
      `UPDATE detections SET identity_id = NULL, similarity = NULL, mismatch_reviewed = false,
         review_status = 'pending'
       WHERE id = any($1::bigint[])`,
      [detectionIds],
    );
  }

  async forgetRejections(detectionIds: readonly number[], merge: Merge): Promise<void> {
    await this.#locked(merge).session.query(
      `DELETE FROM rejected_pairs
       WHERE detection_id = any($1::bigint[]) AND identity_id IN ($2, $3)`,
      [detectionIds, merge.from, merge.into],
    );
  }

  async moveRejections(merge: Merge, limit: number): Promise<number> {
    const { session } = this.#locked(merge);
    const { from, into } = merge;
    const rows = await session.query<{ id: number }>(
      `SELECT detection_id AS id FROM rejected_pairs WHERE identity_id = $1 LIMIT $2`,
      [from, limit],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await session.query(
      `DELETE FROM rejected_pairs earlier USING rejected_pairs later
       WHERE earlier.detection_id = any($1::bigint[]) AND later.detection_id = earlier.detection_id
         AND earlier.identity_id IN ($2, $3) AND later.identity_id IN ($2, $3)
         AND earlier.sequence < later.sequence`,
      [ids, from, into],
    );
    await session.query(
      `UPDATE rejected_pairs SET identity_id = $3
       WHERE detection_id = any($1::bigint[]) AND identity_id = $2`,
      [ids, from, into],
    );
    return ids.length;
  }

  async moveDetections(merge: Merge, limit: number): Promise<number> {
    const { session } = this.#locked(merge);
    const { from, into } = merge;
    const rows = await session.query<{ id: number }>(
      `UPDATE detections SET identity_id = $2 WHERE id IN (SELECT id FROM (${NEXT}) AS next)
       RETURNING id`,
      [from, into, limit],
    );
    const ids = rows.map(({ id }) => id);
    await session.query(
      `UPDATE face_references SET identity_id = $3
       WHERE detection_id = any($1::bigint[]) AND identity_id = $2`,
      [ids, from, into],
    );
    return ids.length;
  }

  async moveSuggestions(merge: Merge, limit: number): Promise<number> {
    const [row] = await this.#locked(merge).session.query<{ moved: number }>(
      `WITH removed AS (
         DELETE FROM suggestions WHERE (detection_id, model_id, identity_id) IN (
           SELECT detection_id, model_id, identity_id FROM suggestions
           WHERE identity_id = $1 LIMIT $3)
         RETURNING *
       ), kept AS (
         INSERT INTO suggestions (environment_id, model_id, detection_id, identity_id, similarity)
         SELECT environment_id, model_id, detection_id, $2, similarity FROM removed
         ON CONFLICT (environment_id, detection_id, model_id, identity_id)
         DO UPDATE SET similarity = greatest(suggestions.similarity, excluded.similarity)
       )
       SELECT count(*) AS moved FROM removed`,
      [merge.from, merge.into, limit],
    );
    return row!.moved;
  }

  async end(merge: Merge): Promise<void> {
    const { session } = this.#locked(merge);
    // Writers of suggestions lock only the row of the identity. After this lock they cannot add suggestions for it.
    await session.query('SELECT FROM identities WHERE id = $1 FOR UPDATE', [merge.from]);
    await this.moveSuggestions(merge, Number.MAX_SAFE_INTEGER);
    await session.query('DELETE FROM identities WHERE id = $1', [merge.from]);
  }

  /** Returns the context if the transaction has locked both identities. */
  #locked({ from, into }: Merge): WriteContext {
    this.#context.locks.requireIdentities([from, into], 'exclusive');
    return this.#context;
  }
}
