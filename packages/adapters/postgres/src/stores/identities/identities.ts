import type { SQL } from 'drizzle-orm';
import type { DetectionType } from '@sightline/core/detection-type';
import type { Identity, IdentityDetails, NewIdentity } from '@sightline/core/identities/identity';
import type {
  Deletion,
  IdentityFilter,
  IdentityOrder,
  IdentityPlace,
  IdentityPosition,
  IdentityReader,
  IdentityWriter,
} from '@sightline/core/identities/identity-store';
import type { Buckets } from '@sightline/core/store/buckets';
import type { Page } from '@sightline/core/store/page';
import { and, asc, count, eq, isNotNull, isNull, sql } from '../../drizzle.ts';
import { identities } from '../../schema/identities.ts';
import { anyOf } from '../database/any-of.ts';
import { columnsWithout } from '../database/columns-without.ts';
import { readIdentityDetails } from './identity-details.ts';
import { listedName } from './listed-name.ts';
import { countStandings, readPlaceBuckets, readPlaces } from './standings.ts';
import { onRows } from '../database/on-rows.ts';
import { readTotals } from '../statistics/statistics.ts';
import type { ReadContext, WriteContext } from '../database/store-context.ts';
import { takePage } from '../database/take-page.ts';

const COLUMNS = columnsWithout(
  identities,
  'environmentId',
  'foldedLabel',
  'deletingSince',
  'mergedInto',
);

/** The order of {@link IdentityPosition}. */
const BY_LABEL = [asc(identities.label), asc(identities.type), asc(identities.id)];

/** Parameters: the identity, and the maximum number of rows to delete. */
const FORGET_SUGGESTIONS = `
  WITH deleted AS (
    DELETE FROM suggestions WHERE (detection_id, model_id, identity_id) IN (
      SELECT detection_id, model_id, identity_id FROM suggestions WHERE identity_id = $1 LIMIT $2)
    RETURNING 1
  ) SELECT count(*) AS count FROM deleted`;
const FORGET_REJECTIONS = `
  WITH deleted AS (
    DELETE FROM rejected_pairs WHERE (detection_id, identity_id) IN (
      SELECT detection_id, identity_id FROM rejected_pairs WHERE identity_id = $1 LIMIT $2)
    RETURNING 1
  ) SELECT count(*) AS count FROM deleted`;

/** Lets a transaction without an operation belong to the one that began the deletion or merge of an identity. */
const CONTINUE_OPERATION = `
  SELECT set_config('sightline.operation_id', o.id::text, true),
    set_config('sightline.operation', jsonb_build_object('kind', o.kind, 'undo_days', 1)::text, true)
  FROM operation_items i
  JOIN operations o ON o.environment_id = i.environment_id AND o.id = i.operation_id
  WHERE i.subject = 'identity' AND i.subject_id = $1 AND i.part = 'row' AND i.before IS NOT NULL
    AND i.after IS NULL AND i.reverted_by IS NULL
    AND coalesce(current_setting('sightline.operation', true), '') = ''
  ORDER BY i.operation_id DESC LIMIT 1`;

export class PostgresIdentityReader implements IdentityReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async byId(id: number): Promise<Identity | null> {
    const [identity] = await this.#select(eq(identities.id, sql.placeholder('id')))
      .prepare('identity-by-id')
      .execute({ id });
    return identity ?? null;
  }

  async byIds(ids: readonly number[]): Promise<readonly Identity[]> {
    return this.#select(anyOf(identities.id, ids)).orderBy(asc(identities.id));
  }

  async byLabels(type: DetectionType, labels: readonly string[]): Promise<readonly Identity[]> {
    return this.#select(and(eq(identities.type, type), anyOf(identities.label, labels)));
  }

  async list(filter: IdentityFilter, page: ListPart): Promise<Page<Identity>> {
    const { limit } = page;
    const query = this.#select(and(...conditionsOf(filter, page))).orderBy(...BY_LABEL);
    return takePage(await (limit === null ? query : query.limit(limit + 1)), limit);
  }

  async ids(filter: IdentityFilter, after: IdentityPosition | null): Promise<readonly number[]> {
    const { db } = this.#context.session;
    const conditions = conditionsOf(filter, { after, limit: null });
    const ordered = db
      .select({ id: identities.id })
      .from(identities)
      .where(and(...conditions, isNull(identities.deletingSince)))
      .orderBy(...BY_LABEL);
    // One row with all ids takes far less time of the event loop than a row for each.
    const { rows } = await db.execute<{ ids: number[] }>(
      sql`select array_to_json(array${ordered}) as ids`,
    );
    return rows[0]!.ids;
  }

  async places(
    filter: IdentityFilter,
    page: Parameters<IdentityReader['places']>[1],
  ): Promise<Page<IdentityPlace>> {
    return readPlaces(this.#context.session, filter, page);
  }

  async buckets(
    filter: IdentityFilter,
    order: IdentityOrder,
  ): Promise<Buckets<IdentityPlace['value']>> {
    return readPlaceBuckets(this.#context.session, filter, order);
  }

  async count(filter: IdentityFilter): Promise<number> {
    const { name, externalRef, minDetections, hasPending } = filter;
    if (minDetections !== undefined || hasPending === true) {
      return countStandings(this.#context.session, filter);
    }
    return name === undefined && externalRef === undefined
      ? this.#countAll(filter)
      : this.#countFiltered(filter);
  }

  async details(id: number, modelId: number | null): Promise<IdentityDetails | null> {
    const identity = await this.byId(id);
    if (identity === null) return null;
    const [details] = await this.withDetails([identity], modelId);
    return details!;
  }

  async withDetails(
    found: readonly Identity[],
    modelId: number | null,
  ): Promise<readonly IdentityDetails[]> {
    return readIdentityDetails(this.#context.session, found, modelId);
  }

  /** Reads the counters. They exclude identities that are being deleted or merged. */
  async #countAll({ type }: IdentityFilter): Promise<number> {
    const types: readonly DetectionType[] = type === undefined ? ['face', 'object'] : [type];
    const names = types.map((each) => `${each}Identities` as const);
    const totals = await readTotals(this.#context.session, names);
    return Object.values(totals).reduce((sum, total) => sum + total, 0);
  }

  async #countFiltered(filter: IdentityFilter): Promise<number> {
    const [row] = await this.#context.session.db
      .select({ total: count() })
      .from(identities)
      .where(and(...conditionsOf(filter), isNull(identities.deletingSince)));
    return row!.total;
  }

  #select(condition: SQL | undefined) {
    return this.#context.session.db
      .select(COLUMNS)
      .from(identities)
      .where(and(condition, isNull(identities.deletingSince)));
  }
}

interface ListPart {
  readonly after: IdentityPosition | null;
  readonly limit: number | null;
}

const WHOLE_LIST: ListPart = { after: null, limit: null };

/** @param part the part of the list to read; the search for names is limited to it */
function conditionsOf(filter: IdentityFilter, part: ListPart = WHOLE_LIST): SQL[] {
  const { type, name, externalRef } = filter;
  const { after } = part;
  const conditions: SQL[] = [];
  if (after !== null) {
    conditions.push(
      sql`(${identities.label}, ${identities.type}, ${identities.id}) > (${after.label}, ${after.type}, ${after.id})`,
    );
  }
  if (type !== undefined) conditions.push(eq(identities.type, type));
  if (externalRef !== undefined) conditions.push(eq(identities.externalRef, externalRef));
  if (name !== undefined) conditions.push(listedName(name, filter, part));
  return conditions;
}

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
        created.map(({ type, label, externalRef, createdAt }) => ({
          environmentId,
          type,
          label,
          externalRef,
          ...(createdAt && { createdAt }),
        })),
      )
      .returning(COLUMNS);
    // Postgres may return the rows in any order, but has generated their ids in the order of the values.
    const inserted = rows.sort((a, b) => a.id - b.id);
    locks.noteNew(
      'identity',
      inserted.map(({ id }) => id),
    );
    return inserted;
  }

  async rename({ id, type }: Identity, label: string): Promise<void> {
    this.#context.locks.require({ entity: 'label', type, label });
    await this.#update(id, { label });
  }

  async setExternalRef(id: number, externalRef: string | null): Promise<void> {
    await this.#update(id, { externalRef });
  }

  async setCover(id: number, detectionId: number | null): Promise<void> {
    await this.#update(id, { coverDetectionId: detectionId });
  }

  async dropCovers(
    covers: readonly { readonly identityId: number; readonly detectionId: number }[],
  ): Promise<readonly number[]> {
    const { session, locks } = this.#context;
    const ids = covers.map(({ identityId }) => identityId);
    locks.requireIdentities(ids, 'exclusive');
    const rows = covers.map(({ identityId, detectionId }) => [identityId, detectionId]);
    const dropped = await onRows<{ detectionId: number }>(
      session,
      { name: 'drop-cover', types: ['bigint', 'bigint'], rows },
      (given) => `
        UPDATE identities i SET cover_detection_id = NULL
        FROM ${given} AS n (identity_id, detection_id)
        WHERE i.id = n.identity_id AND i.cover_detection_id = n.detection_id
        RETURNING n.detection_id AS "detectionId"`,
    );
    return dropped.map(({ detectionId }) => detectionId);
  }

  async markDeleting(id: number): Promise<void> {
    const { session, locks } = this.#context;
    locks.requireIdentities([id], 'exclusive');
    await session.db
      .update(identities)
      .set({ deletingSince: sql`now()` })
      .where(eq(identities.id, id));
  }

  async continueDeletion(id: number): Promise<Deletion | null> {
    const { session, locks } = this.#context;
    locks.requireIdentities([id], 'exclusive');
    const [deletion] = await session.db
      .update(identities)
      .set({ lastStepAt: sql`now()` })
      .where(and(eq(identities.id, id), isNotNull(identities.deletingSince)))
      .returning({ mergedInto: identities.mergedInto });
    if (deletion === undefined) return null;
    await session.query(CONTINUE_OPERATION, [id]);
    return deletion;
  }

  async mergingInto(id: number): Promise<readonly number[]> {
    const rows = await this.#context.session.db
      .select({ id: identities.id })
      .from(identities)
      .where(eq(identities.mergedInto, id))
      .orderBy(asc(identities.id));
    return rows.map((row) => row.id);
  }

  async forget(id: number, limit: number): Promise<number> {
    const { session, locks } = this.#context;
    locks.requireIdentities([id], 'exclusive');
    let forgotten = 0;
    for (const text of [FORGET_SUGGESTIONS, FORGET_REJECTIONS]) {
      const [row] = await session.query<{ count: number }>(text, [id, limit - forgotten]);
      forgotten += row!.count;
    }
    return forgotten;
  }

  async delete(id: number): Promise<void> {
    const { session, locks } = this.#context;
    locks.requireIdentities([id], 'exclusive');
    await session.db.delete(identities).where(eq(identities.id, id));
  }

  async #update(
    id: number,
    change: Partial<Pick<Identity, 'label' | 'externalRef' | 'coverDetectionId'>>,
  ): Promise<void> {
    const { session, locks } = this.#context;
    locks.requireIdentities([id], 'exclusive');
    await session.db.update(identities).set(change).where(eq(identities.id, id));
  }
}
