import type { SQL } from 'drizzle-orm';
import type { DetectionType } from '@sightline/core/detection-type';
import type { Identity, IdentityDetails, NewIdentity } from '@sightline/core/identities/identity';
import type {
  IdentityFilter,
  IdentityPosition,
  IdentityReader,
  IdentityWriter,
} from '@sightline/core/identities/identity-store';
import type { Page } from '@sightline/core/store/page';
import { and, asc, eq, isNotNull, isNull, sql } from '../drizzle.ts';
import { identities } from '../schema/identities.ts';
import { anyOf } from './any-of.ts';
import { columnsWithout } from './columns-without.ts';
import { listedName } from './listed-name.ts';
import type { ReadContext, WriteContext } from './store-context.ts';
import { takePage } from './take-page.ts';

const COLUMNS = columnsWithout(identities, 'environmentId', 'foldedLabel', 'leavingSince');

export class PostgresIdentityReader implements IdentityReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async byId(id: number): Promise<Identity | null> {
    const [identity] = await this.byIds([id]);
    return identity ?? null;
  }

  async byIds(ids: readonly number[]): Promise<readonly Identity[]> {
    return this.#select(anyOf(identities.id, ids)).orderBy(asc(identities.id));
  }

  async byLabels(type: DetectionType, labels: readonly string[]): Promise<readonly Identity[]> {
    return this.#select(and(eq(identities.type, type), anyOf(identities.label, labels)));
  }

  async list(
    filter: IdentityFilter,
    page: { readonly after: IdentityPosition | null; readonly limit: number | null },
  ): Promise<Page<Identity>> {
    const { type, name, externalRef } = filter;
    const { after, limit } = page;
    const conditions: SQL[] = [];
    if (type !== undefined) conditions.push(eq(identities.type, type));
    if (externalRef !== undefined) conditions.push(eq(identities.externalRef, externalRef));
    if (name !== undefined) conditions.push(listedName(name, filter, page));
    if (after !== null) {
      conditions.push(
        sql`(${identities.label}, ${identities.type}, ${identities.id}) > (${after.label}, ${after.type}, ${after.id})`,
      );
    }
    const query = this.#select(and(...conditions)).orderBy(
      asc(identities.label),
      asc(identities.type),
      asc(identities.id),
    );
    return takePage(await (limit === null ? query : query.limit(limit + 1)), limit);
  }

  async details(id: number, modelId: number | null): Promise<IdentityDetails | null> {
    const identity = await this.byId(id);
    if (identity === null) return null;
    const [row] = await this.#context.session.query<DetailsRow>(DETAILS, [
      id,
      modelId,
      identity.coverDetectionId,
    ]);
    const { thumbnailId, cropKey, ...counts } = row!;
    const thumbnail =
      thumbnailId === null || cropKey === null ? null : { detectionId: thumbnailId, cropKey };
    return { ...identity, ...counts, thumbnail };
  }

  #select(condition: SQL | undefined) {
    return this.#context.session.db
      .select(COLUMNS)
      .from(identities)
      .where(and(condition, isNull(identities.leavingSince)));
  }
}

interface DetailsRow {
  readonly detectionCount: number;
  readonly pendingReviewCount: number;
  readonly embeddingCount: number;
  readonly thumbnailId: number | null;
  readonly cropKey: string | null;
}

/** Identity, model or null, cover or null. */
const DETAILS = `
  SELECT
    counts.*, thumbnail.id AS "thumbnailId", thumbnail.crop_key AS "cropKey"
  FROM (
    SELECT
      coalesce(sum(delta) FILTER (WHERE counter = 'identity.detections'), 0)::bigint
        AS "detectionCount",
      coalesce(sum(delta) FILTER (WHERE counter = 'identity.pending_review'), 0)::bigint
        AS "pendingReviewCount",
      coalesce(sum(delta) FILTER (WHERE counter = 'identity.embeddings' AND model_id = $2), 0)::bigint
        AS "embeddingCount"
    FROM counter_deltas
    WHERE subject_id = $1
      AND counter IN ('identity.detections', 'identity.pending_review', 'identity.embeddings')
  ) AS counts
  LEFT JOIN LATERAL (
    (SELECT id, crop_key FROM detections WHERE id = $3)
    UNION ALL
    (SELECT id, crop_key FROM detections
     WHERE identity_id = $1 AND review_status = 'confirmed' AND $3::bigint IS NULL
     ORDER BY detected_at DESC, id DESC LIMIT 1)
  ) AS thumbnail ON true`;

export class PostgresIdentityWriter extends PostgresIdentityReader implements IdentityWriter {
  readonly #context: WriteContext;

  constructor(context: WriteContext) {
    super(context);
    this.#context = context;
  }

  async insert(created: readonly NewIdentity[]): Promise<readonly Identity[]> {
    if (created.length === 0) return [];
    const { session, environmentId, locks } = this.#context;
    locks.require(...created.map(({ type, label }) => ({ entity: 'label' as const, type, label })));
    const rows = await session.db
      .insert(identities)
      .values(
        created.map(({ type, label, externalRef }) => ({
          environmentId,
          type,
          label,
          externalRef,
        })),
      )
      .returning(COLUMNS);
    // Ids rise in the order of the values.
    const inserted = rows.sort((a, b) => a.id - b.id);
    locks.noteNew(
      'identity',
      inserted.map(({ id }) => id),
    );
    return inserted;
  }

  async setExternalRef(id: number, externalRef: string): Promise<void> {
    await this.#update(id, { externalRef });
  }

  async setCover(id: number, detectionId: number | null): Promise<void> {
    await this.#update(id, { coverDetectionId: detectionId });
  }

  async leave(id: number): Promise<void> {
    const { session, locks } = this.#context;
    locks.requireIdentities([id], 'exclusive');
    await session.db
      .update(identities)
      .set({ leavingSince: sql`now()` })
      .where(eq(identities.id, id));
  }

  async isLeaving(id: number): Promise<boolean> {
    const rows = await this.#context.session.db
      .select({ id: identities.id })
      .from(identities)
      .where(and(eq(identities.id, id), isNotNull(identities.leavingSince)));
    return rows.length > 0;
  }

  async delete(id: number): Promise<void> {
    const { session, locks } = this.#context;
    locks.requireIdentities([id], 'exclusive');
    await session.db.delete(identities).where(eq(identities.id, id));
  }

  async #update(
    id: number,
    change: Partial<Pick<Identity, 'externalRef' | 'coverDetectionId'>>,
  ): Promise<void> {
    const { session, locks } = this.#context;
    locks.requireIdentities([id], 'exclusive');
    await session.db.update(identities).set(change).where(eq(identities.id, id));
  }
}
