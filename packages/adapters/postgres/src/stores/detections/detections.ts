import type { SQL } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type {
  Detection,
  ImportedRejection,
  NewDetection,
  UnembeddableReason,
} from '@sightline/core/detections/detection';
import type {
  DetectionPage,
  DetectionReader,
  DetectionWriter,
  FaceEmbedding,
} from '@sightline/core/detections/detection-store';
import type { DetectionFilter } from '@sightline/core/store/detection-filter';
import type { SourceImage } from '@sightline/core/sources/source-image';
import type { Page } from '@sightline/core/store/page';
import { ForeignModelDeleted } from '@sightline/core/models/model-errors';
import { and, asc, count, eq, gt, isNotNull, isNull, sql } from '../../drizzle.ts';
import { violates } from '../../doors/store-failure.ts';
import { detections } from '../../schema/detections.ts';
import { assignedIdentities } from '../../schema/identities.ts';
import { faceVectors, suggestions } from '../../schema/matching.ts';
import { sourceImages } from '../../schema/source-images.ts';
import { anyOf } from '../database/any-of.ts';
import { takePage } from '../database/take-page.ts';
import { onRows } from '../database/on-rows.ts';
import { conditionOfFilter, IS_SEEN } from './detection-filter.ts';
import { DETECTION_COLUMNS, IS_ASSIGNED, toDetection } from './detection-rows.ts';
import { INSERT_DETECTIONS, toInsertedRow } from './insert-detections.ts';
import { rowIdsOf } from '../identities/seen-identity.ts';
import { removeRenditions } from '../renditions/renditions.ts';
import type { ReadContext, WriteContext } from '../database/store-context.ts';
import { toBytes } from '../references/vector-bytes.ts';

/** Only the row of a foreign model can be missing, because another transaction deleted its last vector. */
const MODEL_OF_VECTOR = 'face_vectors_model_id_models_id_fk';

/**
 * Updates decisions. An identity is written only if it changes. During a merge, a row may still have the id of the
 * merged identity although readers already see the target, and only the merge itself may move the row.
 */
const deciding = (rows: string) => `
  UPDATE detections d SET similarity = n.similarity, review_status = n.review_status,
    decided_by = n.decided_by, dismissed_at = CASE WHEN n.keeps THEN d.dismissed_at END,
    identity_id = CASE WHEN n.changes THEN n.identity_id ELSE d.identity_id END,
    mismatch_reviewed = d.mismatch_reviewed AND NOT n.changes
  FROM ${rows} AS n (id, similarity, review_status, decided_by, keeps, changes, identity_id)
  WHERE d.id = n.id`;
const DECISION = ['bigint', 'float8', 'text', 'text', 'boolean', 'boolean', 'bigint'];

const rejecting = (rows: string) => `
  WITH earlier AS (
    UPDATE rejected_pairs p SET is_latest = false
    FROM ${rows} AS n (environment_id, detection_id, identity_id)
    WHERE p.detection_id = n.detection_id AND p.is_latest
      AND p.identity_id IS DISTINCT FROM n.identity_id
  )
  INSERT INTO rejected_pairs (environment_id, detection_id, identity_id, is_latest)
  SELECT n.environment_id, n.detection_id, n.identity_id, true
  FROM ${rows} AS n (environment_id, detection_id, identity_id) WHERE n.identity_id IS NOT NULL
  ON CONFLICT (environment_id, detection_id, identity_id)
  DO UPDATE SET rejected_at = excluded.rejected_at, sequence = DEFAULT, is_latest = true`;

const forgetting = (rows: string) => `
  DELETE FROM rejected_pairs p USING ${rows} AS n (detection_id, identity_id)
  WHERE p.detection_id = n.detection_id AND p.identity_id IN ${rowIdsOf('n.identity_id')}`;

export class PostgresDetectionReader implements DetectionReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async byId(id: number): Promise<Detection | null> {
    const [detection] = await this.byIds([id]);
    return detection ?? null;
  }

  async byIds(ids: readonly number[]): Promise<readonly Detection[]> {
    return this.#select(anyOf(detections.id, ids));
  }

  async ofSource(sourceImageId: number): Promise<readonly Detection[]> {
    return this.#select(eq(detections.sourceImageId, sourceImageId));
  }

  async pageOfSource(
    sourceImageId: number,
    { type, after, limit }: DetectionPage,
  ): Promise<Page<Detection>> {
    const rows = await this.query(
      and(
        eq(detections.sourceImageId, sourceImageId),
        type && eq(detections.type, type),
        after === null ? undefined : gt(detections.id, after),
        IS_SEEN,
      ),
    )
      .orderBy(asc(detections.id))
      .limit(limit + 1);
    return takePage(rows.map(toDetection), limit);
  }

  async ofIdentity(identityId: number, limit: number): Promise<readonly Detection[]> {
    const rows = await this.query(eq(detections.identityId, identityId))
      .orderBy(asc(detections.detectedAt), asc(detections.id))
      .limit(limit);
    return rows.map(toDetection);
  }

  async matching(
    filter: DetectionFilter,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<readonly number[]> {
    const rows = await this.#context.session.db
      .select({ id: detections.id })
      .from(detections)
      .leftJoin(assignedIdentities, IS_ASSIGNED)
      .where(and(conditionOfFilter(filter), gt(detections.id, after)))
      .orderBy(asc(detections.id))
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  async matchingOf(ids: readonly number[], filter: DetectionFilter): Promise<readonly Detection[]> {
    const rows = await this.query(and(anyOf(detections.id, ids), conditionOfFilter(filter)));
    return rows.map(toDetection).toSorted((a, b) => a.id - b.id);
  }

  async countMatching(filter: DetectionFilter): Promise<number> {
    const [row] = await this.#context.session.db
      .select({ count: count() })
      .from(detections)
      .leftJoin(assignedIdentities, IS_ASSIGNED)
      .where(conditionOfFilter(filter));
    return row!.count;
  }

  async #select(condition: SQL): Promise<readonly Detection[]> {
    const rows = await this.query(and(condition, IS_SEEN)).orderBy(asc(detections.id));
    return rows.map(toDetection);
  }

  /** Selects detections, including those that are being deleted with their identity. */
  protected query(condition: SQL | undefined) {
    return this.#context.session.db
      .select(DETECTION_COLUMNS)
      .from(detections)
      .leftJoin(assignedIdentities, IS_ASSIGNED)
      .where(condition);
  }
}

export class PostgresDetectionWriter extends PostgresDetectionReader implements DetectionWriter {
  readonly #context: WriteContext;

  constructor(context: WriteContext) {
    super(context);
    this.#context = context;
  }

  async insert(source: SourceImage, created: readonly NewDetection[]): Promise<readonly number[]> {
    if (created.length === 0) return [];
    const { session, environmentId, locks } = this.#context;
    locks.require({ entity: 'source', digest: source.digest });
    locks.requireIdentities(identityIdsOf(created), 'shared');
    const rows = created.map((detection) => toInsertedRow(detection));
    const inserted = await session.prepared<{ id: number }>(
      'insert-detections',
      INSERT_DETECTIONS,
      [environmentId, source.id, JSON.stringify(rows)],
    );
    // Postgres may return the ids in any order, but has generated them in the order of the rows.
    const ids = inserted.map(({ id }) => id).sort((a, b) => a - b);
    locks.noteNew('detection', ids);
    await this.#insertVectors(
      created.flatMap(({ embedding }, i) =>
        embedding === null ? [] : [{ detectionId: ids[i]!, ...embedding }],
      ),
    );
    return ids;
  }

  async deletingOfSource(sourceImageId: number): Promise<readonly Detection[]> {
    const deleting = and(isNotNull(detections.identityId), isNull(assignedIdentities.id));
    const rows = await this.query(and(eq(detections.sourceImageId, sourceImageId), deleting));
    return rows.map(toDetection);
  }

  async decide(decided: Parameters<DetectionWriter['decide']>[0]): Promise<void> {
    const { session, locks } = this.#context;
    const changed = decided.filter(isReassigned);
    locks.requireDetections(decided.map(({ detection }) => detection.id));
    locks.requireIdentities(identityIdsOf(changed.map(({ detection }) => detection)), 'exclusive');
    locks.requireIdentities(identityIdsOf(decided.map(({ decision }) => decision)), 'shared');
    const rows = decided.map((one) => {
      const { similarity, reviewStatus, decidedBy, keepsDismissal = false } = one.decision;
      const { id } = one.detection;
      const changes = isReassigned(one);
      const { identityId } = one.decision;
      return [id, similarity, reviewStatus, decidedBy, keepsDismissal, changes, identityId];
    });
    await onRows(session, { name: 'decide-detection', types: DECISION, rows }, deciding);
  }

  async dismiss(ids: readonly number[], at?: Date): Promise<void> {
    await this.#mark(ids, { dismissedAt: at ?? sql`now()` });
  }

  async dismissMismatches(ids: readonly number[]): Promise<void> {
    await this.#mark(ids, { mismatchReviewed: true });
  }

  async reject(pairs: Parameters<DetectionWriter['reject']>[0]): Promise<void> {
    const { session, environmentId, locks } = this.#context;
    locks.requireDetections(pairs.map(({ detectionId }) => detectionId));
    const types = ['bigint', 'bigint', 'bigint'];
    const rows = pairs.map(({ detectionId, identityId }) => [
      environmentId,
      detectionId,
      identityId,
    ]);
    await onRows(session, { name: 'reject-face', types, rows }, rejecting);
  }

  async addEmbeddings(modelId: number, embeddings: readonly FaceEmbedding[]): Promise<void> {
    const { session, environmentId, locks } = this.#context;
    locks.requireDetections(embeddings.map(({ detectionId }) => detectionId));
    if (embeddings.length === 0) return;
    const adding = session.prepared(
      'add-vectors',
      `WITH marked AS (
         DELETE FROM unembeddable_faces WHERE model_id = $2 AND detection_id = any($3::bigint[])
       )
       INSERT INTO face_vectors (environment_id, model_id, detection_id, vector)
       SELECT $1, $2, * FROM unnest($3::bigint[], $4::bytea[])
       ON CONFLICT DO NOTHING`,
      [
        environmentId,
        modelId,
        embeddings.map(({ detectionId }) => detectionId),
        embeddings.map(({ vector }) => toBytes(vector)),
      ],
    );
    await adding.catch((error: unknown) => {
      throw violates(error, MODEL_OF_VECTOR) ? new ForeignModelDeleted() : error;
    });
  }

  async markUnembeddable(
    modelId: number,
    detectionIds: readonly number[],
    reason: UnembeddableReason,
  ): Promise<void> {
    const { session, environmentId, locks } = this.#context;
    locks.requireDetections(detectionIds);
    await session.query(
      `INSERT INTO unembeddable_faces (environment_id, model_id, detection_id, reason)
       SELECT $1, $2, id, $4 FROM unnest($3::bigint[]) AS id
       ON CONFLICT DO NOTHING`,
      [environmentId, modelId, detectionIds, reason],
    );
  }

  async delete(removed: readonly Detection[]): Promise<readonly string[]> {
    if (removed.length === 0) return [];
    const { session, locks } = this.#context;
    const ids = removed.map(({ id }) => id);
    locks.requireDetections(ids);
    locks.requireIdentities(identityIdsOf(removed), 'exclusive');
    await this.#requireSources(removed);
    // Deletes the vectors and suggestions in one statement each. The cascade would delete them row by row.
    await session.db.delete(faceVectors).where(anyOf(faceVectors.detectionId, ids));
    await session.db.delete(suggestions).where(anyOf(suggestions.detectionId, ids));
    const renditions = await removeRenditions(session, 'detection', ids);
    await session.db.delete(detections).where(anyOf(detections.id, ids));
    return renditions;
  }

  async forgetRejections(pairs: Parameters<DetectionWriter['forgetRejections']>[0]): Promise<void> {
    const { session, locks } = this.#context;
    locks.requireDetections(pairs.map(({ detectionId }) => detectionId));
    locks.requireIdentities(identityIdsOf(pairs), 'shared');
    const types = ['bigint', 'bigint'];
    const rows = pairs.map(({ detectionId, identityId }) => [detectionId, identityId]);
    await onRows(session, { name: 'forget-rejection', types, rows }, forgetting);
  }

  async inheritRejections(
    heirs: readonly { readonly from: number; readonly to: number }[],
  ): Promise<void> {
    const { session, locks } = this.#context;
    locks.requireDetections(heirs.flatMap(({ from, to }) => [from, to]));
    // The copied rejections are inserted in the order of the originals, so that the latest rejection stays the
    // latest.
    await session.query(
      `INSERT INTO rejected_pairs (
         environment_id, detection_id, identity_id, rejected_at, is_latest)
       SELECT p.environment_id, heir.target, a.id, max(p.rejected_at), bool_or(p.is_latest)
       FROM unnest($1::bigint[], $2::bigint[]) AS heir (origin, target)
       JOIN rejected_pairs p ON p.detection_id = heir.origin
       JOIN assigned_identities a
         ON a.environment_id = p.environment_id AND a.row_id = p.identity_id
       GROUP BY p.environment_id, heir.target, a.id
       ORDER BY max(p.sequence)
       ON CONFLICT DO NOTHING`,
      [heirs.map(({ from }) => from), heirs.map(({ to }) => to)],
    );
  }

  async importRejections(imported: readonly ImportedRejection[]): Promise<void> {
    if (imported.length === 0) return;
    const { session, environmentId, locks } = this.#context;
    locks.requireDetections(imported.map(({ detectionId }) => detectionId));
    locks.requireIdentities(identityIdsOf(imported), 'shared');
    const latest = imported.filter(({ isLatest }) => isLatest);
    await session.query(
      'UPDATE rejected_pairs SET is_latest = false WHERE is_latest AND detection_id = any($1::bigint[])',
      [latest.map(({ detectionId }) => detectionId)],
    );
    await session.query(
      `INSERT INTO rejected_pairs AS p (
         environment_id, detection_id, identity_id, rejected_at, is_latest)
       SELECT $1, n.detection_id, n.identity_id, n.rejected_at, n.is_latest
       FROM unnest($2::bigint[], $3::bigint[], $4::timestamptz[], $5::boolean[]) WITH ORDINALITY
         AS n (detection_id, identity_id, rejected_at, is_latest, place)
       ORDER BY n.place
       ON CONFLICT (environment_id, detection_id, identity_id)
       DO UPDATE SET is_latest = p.is_latest OR excluded.is_latest`,
      [
        environmentId,
        imported.map(({ detectionId }) => detectionId),
        imported.map(({ identityId }) => identityId),
        imported.map(({ rejectedAt }) => rejectedAt),
        imported.map(({ isLatest }) => isLatest),
      ],
    );
  }

  async #insertVectors(
    vectors: readonly (FaceEmbedding & { readonly modelId: number })[],
  ): Promise<void> {
    if (vectors.length === 0) return;
    const { session, environmentId } = this.#context;
    await session.prepared(
      'insert-vectors',
      `INSERT INTO face_vectors (environment_id, detection_id, model_id, vector)
       SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bytea[])
       ON CONFLICT DO NOTHING`,
      [
        environmentId,
        vectors.map(({ detectionId }) => detectionId),
        vectors.map(({ modelId }) => modelId),
        vectors.map(({ vector }) => toBytes(vector)),
      ],
    );
  }

  async #mark(ids: readonly number[], marks: PgUpdateSetSource<typeof detections>): Promise<void> {
    if (ids.length === 0) return;
    const { session, locks } = this.#context;
    locks.requireDetections(ids);
    await session.db.update(detections).set(marks).where(anyOf(detections.id, ids));
  }

  async #requireSources(removed: readonly Detection[]): Promise<void> {
    const ids = [...new Set(removed.map(({ sourceImageId }) => sourceImageId))];
    const rows = await this.#context.session.db
      .select({ digest: sourceImages.digest })
      .from(sourceImages)
      .where(anyOf(sourceImages.id, ids));
    this.#context.locks.require(
      ...rows.map(({ digest }) => ({ entity: 'source' as const, digest })),
    );
  }
}

function isReassigned({
  detection,
  decision,
}: Parameters<DetectionWriter['decide']>[0][number]): boolean {
  return detection.identityId !== decision.identityId;
}

function identityIdsOf(
  ofIdentities: readonly { readonly identityId: number | null }[],
): readonly number[] {
  return [...new Set(ofIdentities.flatMap(({ identityId }) => identityId ?? []))];
}
