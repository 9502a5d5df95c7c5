import type { SQL } from 'drizzle-orm';
import type { NewReference, Reference, ReferenceLink } from '@sightline/core/references/reference';
import type {
  ReferenceFilter,
  ReferenceReader,
  ReferenceWriter,
} from '@sightline/core/references/reference-store';
import type { Page } from '@sightline/core/store/page';
import { and, asc, desc, eq, lt, sql } from '../../drizzle.ts';
import { detections } from '../../schema/detections.ts';
import { assignedIdentities, identities } from '../../schema/identities.ts';
import { faceReferences } from '../../schema/matching.ts';
import { models } from '../../schema/models.ts';
import { anyOf, oneOf } from '../database/any-of.ts';
import { changeMeans, type MovedVector } from './identity-means.ts';
import { rowIdsOfIdentity } from '../identities/identity-rows.ts';
import { rowsOf } from '../database/rows-of.ts';
import { seenId } from '../identities/seen-identity.ts';
import type { ReadContext, WriteContext } from '../database/store-context.ts';
import { takePage } from '../database/take-page.ts';

const COLUMNS = {
  id: faceReferences.id,
  identityId: assignedIdentities.id,
  label: assignedIdentities.label,
  modelId: faceReferences.modelId,
  modelName: models.name,
  detectionId: faceReferences.detectionId,
  sourceImageId: detections.sourceImageId,
  createdAt: faceReferences.createdAt,
  cropKey: detections.cropKey,
  decidedBy: detections.decidedBy,
  bboxX: detections.bboxX,
  bboxY: detections.bboxY,
  bboxW: detections.bboxW,
  bboxH: detections.bboxH,
  quality: detections.quality,
  pose: detections.pose,
  turned: detections.turned,
};

interface ReferenceRow extends Omit<Reference, 'bbox' | 'pose'> {
  readonly bboxX: number;
  readonly bboxY: number;
  readonly bboxW: number;
  readonly bboxH: number;
  readonly pose: readonly number[] | null;
}

function toReference({ bboxX, bboxY, bboxW, bboxH, pose, ...row }: ReferenceRow): Reference {
  const bbox = { x: bboxX, y: bboxY, w: bboxW, h: bboxH };
  return { ...row, bbox, pose: pose as Reference['pose'] };
}

export class PostgresReferenceReader implements ReferenceReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async byId(id: number): Promise<Reference | null> {
    const [row] = await this.#select([eq(faceReferences.id, id)]);
    return row === undefined ? null : toReference(row);
  }

  async list(
    { identityId, modelId }: ReferenceFilter,
    page: { readonly before: number | null; readonly limit: number | null },
  ): Promise<Page<Reference>> {
    const { before, limit } = page;
    const conditions: SQL[] = [];
    if (identityId !== undefined) {
      const rowIds = await rowIdsOfIdentity(this.#context.session, identityId);
      conditions.push(
        oneOf(faceReferences.identityId, rowIds),
        eq(assignedIdentities.id, identityId),
      );
    }
    if (modelId !== undefined) conditions.push(eq(faceReferences.modelId, modelId));
    if (before !== null) conditions.push(lt(faceReferences.id, before));
    const query = this.#select(conditions).orderBy(desc(faceReferences.id));
    const { items, hasMore } = takePage(
      await (limit === null ? query : query.limit(limit + 1)),
      limit,
    );
    return { items: items.map(toReference), hasMore };
  }

  async ofDetections(detectionIds: readonly number[]): Promise<readonly ReferenceLink[]> {
    const { id, identityId, modelId, detectionId } = faceReferences;
    // The result includes identities that are being deleted.
    const assignedId = sql.raw(seenId('identities')).mapWith(Number);
    return this.#context.session.db
      .select({ id, identityId: assignedId, modelId, detectionId })
      .from(faceReferences)
      .innerJoin(identities, sameRow(identities, identityId))
      .where(anyOf(detectionId, detectionIds))
      .orderBy(asc(id));
  }

  #select(conditions: readonly SQL[]) {
    return this.#context.session.db
      .select(COLUMNS)
      .from(faceReferences)
      .innerJoin(
        assignedIdentities,
        and(
          eq(assignedIdentities.environmentId, faceReferences.environmentId),
          eq(assignedIdentities.rowId, faceReferences.identityId),
        ),
      )
      .innerJoin(detections, sameRow(detections, faceReferences.detectionId))
      .innerJoin(models, eq(models.id, faceReferences.modelId))
      .where(and(...conditions));
  }
}

function sameRow(
  table: typeof identities | typeof detections,
  id: typeof faceReferences.identityId | typeof faceReferences.detectionId,
): SQL {
  return sql`${table.environmentId} = ${faceReferences.environmentId} and ${table.id} = ${id}`;
}

export class PostgresReferenceWriter extends PostgresReferenceReader implements ReferenceWriter {
  readonly #context: WriteContext;

  constructor(context: WriteContext) {
    super(context);
    this.#context = context;
  }

  async enroll(faces: readonly NewReference[]): Promise<readonly ReferenceLink[]> {
    return this.exchange([], faces);
  }

  async revoke(references: readonly ReferenceLink[]): Promise<void> {
    await this.exchange(references, []);
  }

  async exchange(
    revoked: readonly ReferenceLink[],
    enrolled: readonly NewReference[],
  ): Promise<readonly ReferenceLink[]> {
    const concerned = [...revoked, ...enrolled].map(({ identityId }) => identityId);
    this.#context.locks.requireIdentities(unique(concerned), 'exclusive');
    // Both statements are sent before the means change, so both return the sums from before the exchange.
    const [removed, added] = await Promise.all([this.#delete(revoked), this.#insert(enrolled)]);
    await changeMeans(this.#context, { removed, added });
    return this.#inOrder(enrolled, added);
  }

  async #insert(faces: readonly NewReference[]): Promise<readonly MovedVector[]> {
    if (faces.length === 0) return [];
    const { session, environmentId } = this.#context;
    const values = [
      environmentId,
      faces.map(({ identityId }) => identityId),
      faces.map(({ detectionId }) => detectionId),
      faces.map(({ modelId }) => modelId),
      faces.map(({ createdAt }) => createdAt ?? null),
    ];
    // Only the service's own ids are generated; those of references that return are given.
    const ids = faces.flatMap(({ returnedId }) => returnedId ?? []);
    return ids.length === 0
      ? session.prepared<MovedVector>('enroll-references', ENROLLING, values)
      : session.query<MovedVector>(RETURNING, [...values, ids]);
  }

  async #delete(references: readonly ReferenceLink[]): Promise<readonly MovedVector[]> {
    if (references.length === 0) return [];
    const { session } = this.#context;
    const ids = references.map(({ id }) => id);
    // Only the statement for a single reference is prepared, because its plan suits every environment. For several
    // references, a plan that was kept from a small environment might be slow in a large one.
    return ids.length === 1
      ? session.prepared<MovedVector>('revoke-reference', revoking('id = $1'), ids)
      : session.query<MovedVector>(revoking('id = any($1::bigint[])'), [ids]);
  }

  async #inOrder(
    faces: readonly NewReference[],
    added: readonly MovedVector[],
  ): Promise<readonly ReferenceLink[]> {
    if (faces.length === 0) return [];
    const known: readonly ReferenceLink[] =
      added.length === faces.length
        ? added
        : await this.ofDetections(faces.map(({ detectionId }) => detectionId));
    const byFace = new Map(known.map((link) => [`${link.detectionId}/${link.modelId}`, link]));
    return faces.map(({ detectionId, modelId, identityId }) => {
      const link = byFace.get(`${detectionId}/${modelId}`);
      if (link?.identityId !== identityId) {
        throw new Error(`Detection ${detectionId} is enrolled under another identity.`);
      }
      return { id: link.id, identityId, modelId, detectionId };
    });
  }
}

/**
 * Returns the changed references, each with the sum of its identity before the change. The sum of an identity that is
 * being merged is part of its target's sum. Each LIMIT makes the planner look up one row by its key, because the kept
 * plan must suit environments of any size.
 */
const WITH_VECTORS = `
  SELECT r.id, i.seen AS "identityId", r.model_id AS "modelId", r.detection_id AS "detectionId",
         v.vector, m.reference_count AS count, m.sum
  FROM r
  JOIN LATERAL (
    SELECT vector FROM face_vectors
    WHERE environment_id = r.environment_id AND detection_id = r.detection_id
      AND model_id = r.model_id LIMIT 1) AS v ON true
  JOIN LATERAL (
    SELECT ${seenId('o')} AS seen FROM identities o
    WHERE o.environment_id = r.environment_id AND o.id = r.identity_id LIMIT 1) AS i ON true
  LEFT JOIN LATERAL (
    SELECT reference_count, sum FROM identity_means
    WHERE environment_id = r.environment_id AND identity_id = i.seen
      AND model_id = r.model_id LIMIT 1) AS m ON true
  ORDER BY r.id`;

const enrolling = (columns: string, arrays: readonly [string, ...string[]]) => `
  WITH r AS (
    INSERT INTO face_references (environment_id, identity_id, detection_id, model_id, created_at${columns})
    OVERRIDING SYSTEM VALUE
    SELECT $1, n.identity_id, n.detection_id, n.model_id, coalesce(n.created_at, now())${columns}
    FROM ${rowsOf(...arrays)} AS n (identity_id, detection_id, model_id, created_at${columns})
    ON CONFLICT (environment_id, detection_id, model_id) DO NOTHING
    RETURNING *
  ) ${WITH_VECTORS}`;
const ARRAYS = ['$2::bigint[]', '$3::bigint[]', '$4::bigint[]', '$5::timestamptz[]'] as const;
const ENROLLING = enrolling('', ARRAYS);
const RETURNING = enrolling(', id', [...ARRAYS, '$6::bigint[]']);

function revoking(condition: string): string {
  return `WITH r AS (DELETE FROM face_references WHERE ${condition} RETURNING *) ${WITH_VECTORS}`;
}

function unique(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)];
}
