import type {
  ChangedSubject,
  OperationItem,
  Subject,
  SubjectKind,
} from '@sightline/core/operations/operation';
import type { Reversal } from '@sightline/core/operations/operation-store';
import { CURRENT_OPERATION } from '../../doors/begin-operation.ts';
import { getTableColumns } from '../../drizzle.ts';
import { detections } from '../../schema/detections.ts';
import { sourceImages } from '../../schema/source-images.ts';
import type { WriteContext } from '../database/store-context.ts';
import { imageOf, ITEMS_OF_SUBJECTS, keptImage } from './operations.ts';

/** A face that returns begins to wait for review again, so the default applies. */
const NOT_RESTORED = ['queued_at'];
/** Triggers count the detections of an image, so a returning image has none yet. */
const COUNTS = ['face_count', 'object_count', 'tagged_face_count', 'manual_count'];

/** The rows of a table that an operation deleted. */
const deleted = (table: string, part: string) => `
  ${ITEMS_OF_SUBJECTS} CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, i.before) AS r
  WHERE i.part = '${part}' AND i.before IS NOT NULL AND i.after IS NULL AND i.reverted_by IS NULL`;

const RETURN_IDENTITIES = `
  INSERT INTO identities (environment_id, id, type, label, external_ref, created_at)
  OVERRIDING SYSTEM VALUE
  SELECT r.environment_id, r.id, r.type, CASE WHEN r.id = $5 THEN $6 ELSE r.label END, r.external_ref,
    r.created_at
  FROM ${deleted('identities', 'row')} AND i.subject = 'identity'`;

/**
 * Images return with their detections. The image of a detection may have been deleted by a later operation, which then has
 * its values. An image that was posted again is a new one and takes the place of the deleted one.
 */
const RETURN_IMAGES = `
  WITH needed AS (
    SELECT r.source_image_id AS id FROM ${deleted('detections', 'row')} AND i.subject = 'detection'
    UNION SELECT i.subject_id FROM ${ITEMS_OF_SUBJECTS} WHERE i.subject = 'image'
  ), kept AS (
    SELECT m.before FROM needed CROSS JOIN LATERAL (${keptImage('needed.id')}) AS m
    WHERE NOT EXISTS (SELECT FROM source_images s WHERE s.environment_id = $1 AND s.id = needed.id)
  )
  INSERT INTO source_images (${columnsOf(sourceImages)}) OVERRIDING SYSTEM VALUE
  SELECT ${columnsOf(sourceImages, ofRecord)} FROM kept
  CROSS JOIN LATERAL jsonb_populate_record(
    NULL::source_images, kept.before || '${JSON.stringify(Object.fromEntries(COUNTS.map((name) => [name, 0])))}') AS r
  ON CONFLICT (environment_id, digest) DO NOTHING
  RETURNING media_key AS key, original_key AS "originalKey"`;

const RETURN_DETECTIONS = `
  INSERT INTO detections (${columnsOf(detections)}) OVERRIDING SYSTEM VALUE
  SELECT ${columnsOf(detections, returning)}
  FROM ${deleted('detections', 'row')} AND i.subject = 'detection'
  RETURNING crop_key AS key`;

const ofModels = `AND EXISTS (SELECT FROM models m WHERE m.id = r.model_id)`;
const RETURN_VECTORS = `
  INSERT INTO face_vectors SELECT r.* FROM ${deleted('face_vectors', 'vector')} ${ofModels}
  ON CONFLICT DO NOTHING`;
const RETURN_MARKS = `
  INSERT INTO unembeddable_faces SELECT r.* FROM ${deleted('unembeddable_faces', 'mark')} ${ofModels}
  ON CONFLICT DO NOTHING`;

/** The value of a column of the row `t` that is updated: that before the operation if the operation changed it. */
const previous = (column: string, type: string) => `
  CASE WHEN i.before -> '${column}' IS DISTINCT FROM i.after -> '${column}'
    THEN (i.before ->> '${column}')::${type} ELSE t.${column} END`;
/** The items of the changed rows `t`. */
const changed = (subject: string) => `
  FROM ${ITEMS_OF_SUBJECTS}
  WHERE i.subject = '${subject}' AND i.part = 'row' AND i.before IS NOT NULL AND i.after IS NOT NULL
    AND i.reverted_by IS NULL AND t.environment_id = $1 AND t.id = i.subject_id`;

const DECIDE_AGAIN = `
  UPDATE detections t SET
    identity_id = ${previous('identity_id', 'bigint')},
    similarity = ${previous('similarity', 'float8')},
    review_status = ${previous('review_status', 'text')},
    decided_by = ${previous('decided_by', 'text')},
    dismissed_at = ${previous('dismissed_at', 'timestamptz')},
    mismatch_reviewed = ${previous('mismatch_reviewed', 'boolean')}
  ${changed('detection')}`;

const END_REJECTIONS = `
  DELETE FROM rejected_pairs p USING ${ITEMS_OF_SUBJECTS}
  WHERE i.part = 'rejection' AND i.after IS NOT NULL AND i.reverted_by IS NULL
    AND p.environment_id = $1 AND p.detection_id = i.subject_id AND p.identity_id = i.part_id`;
const RETURN_REJECTIONS = `
  INSERT INTO rejected_pairs (
    environment_id, detection_id, identity_id, rejected_at, sequence, is_latest, detected_at)
  OVERRIDING SYSTEM VALUE
  SELECT r.environment_id, r.detection_id, r.identity_id, r.rejected_at, r.sequence, r.is_latest, r.detected_at
  FROM ${ITEMS_OF_SUBJECTS} CROSS JOIN LATERAL jsonb_populate_record(NULL::rejected_pairs, i.before) AS r
  WHERE i.part = 'rejection' AND i.before IS NOT NULL AND i.reverted_by IS NULL
    AND EXISTS (
      SELECT FROM identities o WHERE o.environment_id = $1 AND o.id = r.identity_id AND o.deleting_since IS NULL)
    AND EXISTS (
      SELECT FROM detections d
      WHERE d.environment_id = $1 AND d.id = r.detection_id AND d.identity_id IS DISTINCT FROM r.identity_id)
  ON CONFLICT DO NOTHING`;

/** A cover returns if it is a detection of the identity. */
const SHOW_AGAIN = `
  UPDATE identities t SET
    label = CASE WHEN t.id = $5 THEN $6 ELSE ${previous('label', 'text')} END,
    external_ref = ${previous('external_ref', 'text')},
    cover_detection_id = (
      SELECT d.id FROM detections d
      WHERE d.environment_id = $1 AND d.identity_id = t.id
        AND d.id = ${previous('cover_detection_id', 'bigint')})
  ${changed('identity')}`;

/** The covers whose detections return after their identities, in a later transaction or in this one. */
const RETURN_COVERS = `
  UPDATE identities o SET cover_detection_id = (i.before ->> 'cover_detection_id')::bigint
  FROM operation_items i
  WHERE i.environment_id = $1 AND i.operation_id = $2 AND i.subject = 'identity' AND i.part = 'row'
    AND i.before -> 'cover_detection_id' IS DISTINCT FROM i.after -> 'cover_detection_id'
    AND (i.reverted_by = ${CURRENT_OPERATION}
      OR i.subject_id IN (SELECT s.id FROM unnest($3::text[], $4::bigint[]) AS s (kind, id) WHERE s.kind = 'identity'))
    AND o.environment_id = $1 AND o.id = i.subject_id AND o.cover_detection_id IS NULL
    AND EXISTS (
      SELECT FROM detections d
      WHERE d.environment_id = $1 AND d.id = (i.before ->> 'cover_detection_id')::bigint
        AND d.identity_id = o.id)`;

/** Only the last rejection of a face is the one that a restore takes back. */
const KEEP_LATEST = `
  UPDATE rejected_pairs p SET is_latest = false FROM ${ITEMS_OF_SUBJECTS}
  WHERE i.part = 'rejection' AND p.environment_id = $1 AND p.detection_id = i.subject_id AND p.is_latest
    AND EXISTS (
      SELECT FROM rejected_pairs q
      WHERE q.environment_id = $1 AND q.detection_id = i.subject_id AND q.is_latest AND q.sequence > p.sequence)`;

/** A reversal, and the identity that gets another label than its own. */
export interface RenamedReversal extends Pick<Reversal, 'operationId' | 'subjects'> {
  readonly renamed: { readonly id: number; readonly label: string } | null;
}

/** Takes back changes of rows, in the order of their foreign keys. Returns the keys of the files that are in use again. */
export async function restoreRows(
  { session, environmentId }: WriteContext,
  { operationId, subjects, renamed }: RenamedReversal,
): Promise<readonly string[]> {
  const values = valuesOf(environmentId, operationId, subjects);
  const changes = changesOf(subjects);
  const run = async <Row>(
    text: string,
    isFor: readonly Change[],
    further: readonly unknown[] = [],
  ): Promise<readonly Row[]> => {
    const isNeeded = isFor.some((change) => changes.has(change));
    return isNeeded ? await session.query<Row>(text, [...values, ...further]) : [];
  };
  const label = [renamed?.id ?? null, renamed?.label ?? null];
  await run(RETURN_IDENTITIES, ['identity row deleted'], label);
  const images = await run<{ key: string; originalKey: string | null }>(RETURN_IMAGES, [
    'detection row deleted',
    ...ALL.map((change) => `image row ${change}` as const),
  ]);
  const crops = await run<{ key: string }>(RETURN_DETECTIONS, ['detection row deleted']);
  await run(RETURN_VECTORS, ['detection vector deleted']);
  await run(RETURN_MARKS, ['detection mark deleted']);
  await run(DECIDE_AGAIN, ['detection row changed']);
  await run(END_REJECTIONS, ['detection rejection created', 'detection rejection changed']);
  await run(RETURN_REJECTIONS, ['detection rejection deleted', 'detection rejection changed']);
  await run(
    KEEP_LATEST,
    ALL.map((change) => `detection rejection ${change}` as const),
  );
  await run(SHOW_AGAIN, ['identity row changed'], label);
  await session.query(RETURN_COVERS, values);
  return [
    ...crops.map(({ key }) => key),
    ...images.flatMap(({ key, originalKey }) =>
      originalKey === null ? [key] : [key, originalKey],
    ),
  ];
}

const ALL = ['created', 'deleted', 'changed'] as const;

type Change = `${SubjectKind} ${OperationItem['part']} ${(typeof ALL)[number]}`;

/** The changes that the items have. Each statement looks up all items, and most pages need few of the statements. */
function changesOf(subjects: readonly ChangedSubject[]): ReadonlySet<Change> {
  const changes = new Set<Change>();
  for (const { kind, items } of subjects) {
    for (const { part, before, after } of items) {
      if (before === null) changes.add(`${kind} ${part} created`);
      else changes.add(`${kind} ${part} ${after === null ? 'deleted' : 'changed'}`);
    }
  }
  return changes;
}

export function valuesOf(environmentId: number, operationId: number, subjects: readonly Subject[]) {
  return [
    environmentId,
    operationId,
    subjects.map(({ kind }) => kind),
    subjects.map(({ id }) => id),
  ] as const;
}

/** SQL for a column of a returning detection. */
function returning(name: string): string {
  if (name === 'source_image_id') return imageOf(ofRecord(name));
  // Records from before the column lack it.
  return name === 'turned' ? 'coalesce(r.turned, 0)' : ofRecord(name);
}

/** SQL for a column of a record `r`. */
function ofRecord(name: string): string {
  return `r.${name}`;
}

/**
 * The columns of a table that a returning row gets from its record. Postgres computes the others.
 *
 * @param toSql returns SQL for a column; by default its name
 */
function columnsOf(
  table: typeof detections | typeof sourceImages,
  toSql = (name: string): string => name,
): string {
  return Object.values(getTableColumns(table))
    .filter(({ generated }) => generated === undefined)
    .map(({ name }: { readonly name: string }) => name)
    .filter((name) => !NOT_RESTORED.includes(name))
    .map((name) => toSql(name))
    .join(', ');
}
