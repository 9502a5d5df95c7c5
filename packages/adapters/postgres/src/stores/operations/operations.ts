import type { DeletingIdentity } from '@sightline/core/identities/deleting-identity';
import type { Operation, OperationItem, Subject } from '@sightline/core/operations/operation';
import type { OperationFilter, OperationReader } from '@sightline/core/operations/operation-store';
import type { Page } from '@sightline/core/store/page';
import type { SQL } from 'drizzle-orm';
import { and, desc, eq, gt, gte, lt, sql } from '../../drizzle.ts';
import { operations } from '../../schema/operations.ts';
import type { ReadContext } from '../database/store-context.ts';
import { columnsWithout } from '../database/columns-without.ts';
import { takePage } from '../database/take-page.ts';

/**
 * The items of subjects. Parameters: the environment, the operation, the kinds and the ids of the subjects. They are looked
 * up one by one. Without statistics, a join would compare all items of the operation with all subjects.
 */
export const ITEMS_OF_SUBJECTS = `
  unnest($3::text[], $4::bigint[]) AS s (kind, id) CROSS JOIN LATERAL (
    SELECT * FROM operation_items o
    WHERE o.environment_id = $1 AND o.operation_id = $2 AND o.subject = s.kind AND o.subject_id = s.id
    OFFSET 0) AS i`;

/** The row of a subject as it is now; null if there is none. */
const NOW = `
  CASE i.subject
    WHEN 'detection' THEN (
      SELECT decision_of(d.identity_id, d.similarity, d.review_status, d.decided_by, d.dismissed_at, d.mismatch_reviewed)
      FROM detections d WHERE d.environment_id = i.environment_id AND d.id = i.subject_id)
    WHEN 'identity' THEN (
      SELECT portrait_of(o.label, o.external_ref, o.cover_detection_id) FROM identities o
      WHERE o.environment_id = i.environment_id AND o.id = i.subject_id)
  END`;

/** The image of a detection that returns: its own, or the one with the same bytes that was posted since. */
export const imageOf = (id: string) => `
  coalesce(
    (SELECT s.id FROM source_images s WHERE s.environment_id = $1 AND s.id = ${id}),
    (SELECT s.id FROM source_images s WHERE s.environment_id = $1 AND s.digest = (
      SELECT (o.before ->> 'digest')::bytea FROM operation_items o
      WHERE o.environment_id = $1 AND o.subject = 'image' AND o.subject_id = ${id}
        AND o.before IS NOT NULL
      ORDER BY o.operation_id DESC LIMIT 1)))`;

/** The latest record of a deleted image whose files are kept. */
export const keptImage = (id: string) => `
  SELECT o.before FROM operation_items o
  WHERE o.environment_id = $1 AND o.subject = 'image' AND o.subject_id = ${id} AND o.before IS NOT NULL
    AND o.reverted_by IS NULL AND EXISTS (
      SELECT FROM set_aside_files f WHERE f.media_key = o.before ->> 'media_key')
  ORDER BY o.operation_id DESC LIMIT 1`;

/** Whether a deleted detection has an image to return to. */
const HAS_IMAGE = `
  (${imageOf(`(i.before ->> 'source_image_id')::bigint`)} IS NOT NULL
    OR EXISTS (${keptImage(`(i.before ->> 'source_image_id')::bigint`)}))`;

/**
 * Whether a run found the deleted detection again: the one that replaced it, or a later one. Like in `pairBoxes`, half of
 * the area of both boxes is the same, and the classes do not differ. A run that replaces detections removes all of its
 * image, so every other one was found since; its time may be before that of an operation about several images.
 */
const IS_FOUND_AGAIN = `
  EXISTS (
    SELECT FROM jsonb_populate_record(NULL::detections, i.before) AS r
    JOIN operations o ON o.environment_id = $1 AND o.id = $2
    JOIN detections d ON d.environment_id = $1 AND d.source_image_id = ${imageOf('r.source_image_id')}
      AND d.type = r.type AND (d.class_name = r.class_name) IS NOT FALSE
      AND (o.kind IN ('replace', 'bulk_images') OR d.detected_at > o.created_at)
    CROSS JOIN LATERAL (
      SELECT greatest(0, least(d.bbox_x + d.bbox_w, r.bbox_x + r.bbox_w) - greatest(d.bbox_x, r.bbox_x))
        * greatest(0, least(d.bbox_y + d.bbox_h, r.bbox_y + r.bbox_h) - greatest(d.bbox_y, r.bbox_y)) AS area
    ) AS common
    WHERE common.area > 0 AND common.area >= 0.5 * (d.bbox_w * d.bbox_h + r.bbox_w * r.bbox_h - common.area)
      AND NOT EXISTS (
        SELECT FROM operation_items own
        WHERE own.environment_id = $1 AND own.operation_id = $2 AND own.subject = 'detection'
          AND own.subject_id = d.id AND own.part = 'row'))`;

/**
 * Whether the row of an item is as the operation left it. Other columns than those that the operation changed may have
 * other values, because nothing that it did would be taken back twice.
 */
const IS_AS_LEFT = `
  CASE i.part
    WHEN 'row' THEN i.subject = 'image' OR (
      CASE WHEN i.after IS NULL
        THEN now.values IS NULL AND (i.subject <> 'detection' OR ${HAS_IMAGE} AND NOT ${IS_FOUND_AGAIN})
        WHEN now.values IS NULL THEN false
        ELSE NOT EXISTS (
          SELECT FROM jsonb_each(i.after) AS a
          WHERE (i.before IS NULL OR i.before -> a.key IS DISTINCT FROM a.value)
            AND now.values -> a.key IS DISTINCT FROM a.value)
      END)
    WHEN 'reference' THEN CASE WHEN i.after IS NULL
      THEN NOT EXISTS (
        SELECT FROM face_references r
        WHERE r.environment_id = i.environment_id AND r.detection_id = i.subject_id
          AND r.model_id = (i.before ->> 'model_id')::bigint AND NOT EXISTS (
            SELECT FROM operation_items a
            WHERE a.environment_id = i.environment_id AND a.operation_id = i.operation_id
              AND a.subject = 'detection' AND a.subject_id = i.subject_id AND a.part = 'reference'
              AND a.part_id = r.id AND a.after IS NOT NULL))
      ELSE EXISTS (
        SELECT FROM face_references r
        WHERE r.environment_id = i.environment_id AND r.id = i.part_id
          AND r.identity_id = (i.after ->> 'identity_id')::bigint)
      END AND (i.before IS NULL OR own.identity_id = (i.before ->> 'identity_id')::bigint)
    WHEN 'rejection' THEN (i.after IS NULL) <> EXISTS (
        SELECT FROM rejected_pairs p
        WHERE p.environment_id = i.environment_id AND p.detection_id = i.subject_id
          AND p.identity_id = i.part_id)
      AND (i.before IS NULL OR own.is_there AND own.identity_id IS DISTINCT FROM i.part_id)
    ELSE true
  END`;

/** Whether the detection of a reference or a rejection is there after the undo, and the identity that it has then. */
const OWN = `
  SELECT coalesce(w.before, to_jsonb(d)) IS NOT NULL AS is_there,
    CASE WHEN w.before IS NOT NULL AND w.before -> 'identity_id' IS DISTINCT FROM w.after -> 'identity_id'
      THEN (w.before ->> 'identity_id')::bigint ELSE d.identity_id END AS identity_id
  FROM (SELECT 1) AS one
  LEFT JOIN operation_items w ON w.environment_id = i.environment_id AND w.operation_id = i.operation_id
    AND w.subject = 'detection' AND w.subject_id = i.subject_id AND w.part = 'row'
  LEFT JOIN detections d ON d.environment_id = i.environment_id AND d.id = i.subject_id
  WHERE i.part IN ('reference', 'rejection')`;

/** The order in which subjects return: detections refer to identities and images. */
const PLACES = ['identity', 'image', 'detection'] as const;

/** An operation that a job carries out begins before it changes anything. */
const HAS_CHANGED = gt(operations.count, 0);

const COLUMNS = {
  ...columnsWithout(operations, 'environmentId'),
  // The query builder does not qualify the columns of its only table, which those of the jobs would hide.
  isAtWork: sql<boolean>`exists (
    select from jobs j where j.environment_id = operations.environment_id
      and j.operation_id = operations.id and j.finished_at is null)`,
};

export class PostgresOperationReader implements OperationReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async byId(id: number): Promise<Operation | null> {
    const [row] = await this.#context.session.db
      .select(COLUMNS)
      .from(operations)
      .where(and(eq(operations.id, id), HAS_CHANGED));
    return row === undefined ? null : toOperation(row);
  }

  async list(
    filter: OperationFilter,
    { before, limit }: { readonly before: number | null; readonly limit: number },
  ): Promise<Page<Operation>> {
    const rows = await this.#context.session.db
      .select(COLUMNS)
      .from(operations)
      .where(
        and(
          HAS_CHANGED,
          ...conditionsOf(filter),
          before === null ? undefined : lt(operations.id, before),
        ),
      )
      .orderBy(desc(operations.id))
      .limit(limit + 1);
    const { items, hasMore } = takePage(rows, limit);
    return { items: items.map(toOperation), hasMore };
  }

  async subjects(
    id: number,
    { after, limit }: { readonly after: Subject | null; readonly limit: number },
  ): Promise<Page<Subject>> {
    const { session, environmentId } = this.#context;
    const found: Subject[] = [];
    for (const kind of PLACES.slice(after === null ? 0 : PLACES.indexOf(after.kind))) {
      const rows = await session.query<Subject>(
        `SELECT DISTINCT i.subject AS kind, i.subject_id AS id FROM operation_items i
         WHERE i.environment_id = $1 AND i.operation_id = $2 AND i.subject = $3 AND i.subject_id > $4
         ORDER BY i.subject_id LIMIT $5`,
        [environmentId, id, kind, kind === after?.kind ? after.id : 0, limit + 1 - found.length],
      );
      found.push(...rows);
      if (found.length > limit) break;
    }
    return takePage(found, limit);
  }

  async items(id: number, subjects: readonly Subject[]): Promise<readonly OperationItem[]> {
    const { session, environmentId } = this.#context;
    return session.query<OperationItem>(
      `SELECT i.subject AS kind, i.subject_id AS id, i.part, i.part_id AS "partId", i.before, i.after,
         ${IS_AS_LEFT} AS "isAsLeft"
       FROM ${ITEMS_OF_SUBJECTS}
       CROSS JOIN LATERAL (SELECT CASE WHEN i.part = 'row' THEN ${NOW} END AS values OFFSET 0) AS now
       LEFT JOIN LATERAL (${OWN}) AS own ON true
       WHERE i.reverted_by IS NULL
       ORDER BY array_position(ARRAY['${PLACES.join("', '")}'], i.subject), i.subject_id, i.part, i.part_id`,
      [environmentId, id, subjects.map(({ kind }) => kind), subjects.map((subject) => subject.id)],
    );
  }

  async unfinished(id: number): Promise<readonly DeletingIdentity[]> {
    const { session, environmentId } = this.#context;
    return session.query<DeletingIdentity>(
      `SELECT o.environment_id AS "environmentId", o.id, o.merged_into AS "mergedInto"
       FROM operation_items i JOIN identities o
         ON o.environment_id = i.environment_id AND o.id = i.subject_id AND o.deleting_since IS NOT NULL
       WHERE i.environment_id = $1 AND i.operation_id = $2 AND i.subject = 'identity' AND i.part = 'row'`,
      [environmentId, id],
    );
  }
}

function conditionsOf(filter: OperationFilter): readonly (SQL | undefined)[] {
  const { identityId, detectionId, kind, accountId, keyId, since, until } = filter;
  return [
    identityId === undefined
      ? undefined
      : sql`${operations.id} in (select operation_id from operation_identities where identity_id = ${identityId})`,
    detectionId === undefined
      ? undefined
      : sql`${operations.id} in (select operation_id from operation_items where subject = 'detection' and subject_id = ${detectionId})`,
    kind && eq(operations.kind, kind),
    accountId === undefined ? undefined : eq(operations.userId, accountId),
    keyId === undefined ? undefined : eq(operations.keyId, keyId),
    since && gte(operations.createdAt, since),
    until && lt(operations.createdAt, until),
  ];
}

type Row = Omit<typeof operations.$inferSelect, 'environmentId'> & { readonly isAtWork: boolean };

function toOperation(row: Row): Operation {
  const { userId: accountId, clearedAt, ...others } = row;
  return { ...others, accountId, isKept: clearedAt === null && row.expiresAt > row.createdAt };
}
