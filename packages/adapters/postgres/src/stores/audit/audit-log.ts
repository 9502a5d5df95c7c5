import type { AuditedRead, AuditEntity, AuditRecord } from '@sightline/core/audit/audit-entry';
import type { AuditFilter, AuditLog, AuditPosition } from '@sightline/core/audit/audit-log';
import type { Page } from '@sightline/core/store/page';
import type { SQL } from 'drizzle-orm';
import { and, desc, eq, gte, isNull, lt, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import { audit } from '../../schema/audit.ts';
import { takePage } from '../database/take-page.ts';
import { valuesOf } from './record-audit.ts';

/** The maximum number of entries that one statement deletes. */
const BATCH = 10_000;

const RECORD = `
  INSERT INTO audit
    (environment_id, at, user_id, key_id, request_id, entity_type, action, entity_ids, details)
  SELECT n."environmentId", n.at, n."userId", n."keyId", n."requestId", n.entity, n.action, n.ids,
    n.details::jsonb
  FROM json_to_recordset($1::json) AS n ("environmentId" bigint, at timestamptz, "userId" text,
    "keyId" bigint, "requestId" text, entity text, action text, ids text[], details text)`;

export class PostgresAuditLog implements AuditLog {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async list(
    filter: AuditFilter,
    { after, limit }: { readonly after: AuditPosition | null; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<Page<AuditRecord>> {
    const rows = await this.#doors.onPlatform(
      'accounts',
      ({ db }) =>
        db
          .select()
          .from(audit)
          .where(and(...conditionsOf(filter), after === null ? undefined : isAfter(after)))
          .orderBy(desc(audit.at), desc(audit.id))
          .limit(limit + 1),
      signal,
    );
    const { items, hasMore } = takePage(rows, limit);
    return { items: items.map(toRecord), hasMore };
  }

  async record(reads: readonly AuditedRead[]): Promise<void> {
    const rows = reads.map(({ environmentId, actor, at, entry }) => {
      const [userId, keyId, requestId, entity, action, ids, details] = valuesOf(actor, entry);
      return { environmentId, at, userId, keyId, requestId, entity, action, ids, details };
    });
    await this.#doors.onPlatform('accounts', (session) =>
      session.query(RECORD, [JSON.stringify(rows)]),
    );
  }

  async prune(days: number, signal?: AbortSignal): Promise<number> {
    let all = 0;
    for (let deleted = BATCH; deleted === BATCH; all += deleted) {
      const [row] = await this.#doors.onPlatform(
        'accounts',
        (session) =>
          session.query<{ deleted: number }>('SELECT prune_audit($1, $2) AS deleted', [
            days,
            BATCH,
          ]),
        signal,
      );
      deleted = row!.deleted;
    }
    return all;
  }
}

function conditionsOf(filter: AuditFilter): readonly (SQL | undefined)[] {
  const { environmentId, entity, action, accountId, keyId, entityId, since, until } = filter;
  return [
    environmentId === null ? isNull(audit.environmentId) : eq(audit.environmentId, environmentId),
    entity === undefined ? undefined : eq(audit.entityType, entity),
    action === undefined ? undefined : eq(audit.action, action),
    accountId === undefined ? undefined : eq(audit.userId, accountId),
    keyId === undefined ? undefined : eq(audit.keyId, keyId),
    entityId === undefined ? undefined : sql`${audit.entityIds} @> array[${entityId}]::text[]`,
    since && gte(audit.at, since),
    until && lt(audit.at, until),
  ];
}

function isAfter({ at, id }: AuditPosition): SQL {
  return sql`(${audit.at}, ${audit.id}) < (${at.toISOString()}::timestamptz, ${id}::bigint)`;
}

function toRecord(row: typeof audit.$inferSelect): AuditRecord {
  const { entityType, entityIds, userId, ...rest } = row;
  return { ...rest, entity: entityType as AuditEntity, ids: entityIds, accountId: userId };
}
