import type { FeedEntry } from '@sightline/core/feed/feed-entry';
import type { FeedReader, FeedWriter } from '@sightline/core/feed/feed-store';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import type { ReadContext } from '../database/store-context.ts';
import { takePage } from '../database/take-page.ts';

export function feedReader(context: ReadContext): FeedReader {
  return {
    async head() {
      const { session, environmentId } = context;
      const [row] = await session.query<{ head: number }>(
        'SELECT last_id AS head FROM feed_heads WHERE environment_id = $1',
        [environmentId],
      );
      return row?.head ?? 0;
    },
    async after(id, limit) {
      const { session, environmentId } = context;
      const rows = await session.query<FeedEntry>(
        `SELECT id, event_id AS "eventId", entity_type AS "entityType", entity_id AS "entityId",
                action, external_ref AS "externalRef", created_at AS "createdAt",
                operation_id AS "operationId"
         FROM feed_entries WHERE environment_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
        [environmentId, id, limit + 1],
      );
      return takePage(rows, limit);
    },
  };
}

export function feedWriter(session: TransactionSession): FeedWriter {
  return {
    async append(entries) {
      if (entries.length === 0) return;
      await session.prepared('append-to-feed', APPEND, [
        entries.map(({ environmentId }) => environmentId),
        entries.map(({ eventId }) => eventId),
        entries.map(({ entityType }) => entityType),
        entries.map(({ entityId }) => entityId),
        entries.map(({ action }) => action),
        entries.map(({ externalRef }) => externalRef),
        entries.map(({ createdAt }) => createdAt),
        entries.map(({ operationId }) => operationId),
      ]);
    },
  };
}

/**
 * Numbers the entries of each environment. The feed head is updated first, so that concurrent writers wait for each
 * other and numbers have no gaps.
 */
const APPEND = `
  WITH entry AS MATERIALIZED (
    SELECT e.*, row_number() OVER (PARTITION BY environment_id ORDER BY place) AS nth
    FROM (
      SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::bigint[], $5::text[],
        $6::text[], $7::timestamptz[], $8::bigint[]) WITH ORDINALITY LIMIT cardinality($1::bigint[])
    ) AS e (
      environment_id, event_id, entity_type, entity_id, action, external_ref, created_at, operation_id, place)
  ), head AS (
    INSERT INTO feed_heads AS h (environment_id, last_id)
    SELECT environment_id, count(*) FROM entry GROUP BY environment_id
    ON CONFLICT (environment_id) DO UPDATE SET last_id = h.last_id + excluded.last_id
    RETURNING environment_id, last_id
  ), counted AS (
    SELECT environment_id, count(*) AS entries FROM entry GROUP BY environment_id
  )
  INSERT INTO feed_entries
    (environment_id, id, event_id, entity_type, entity_id, action, external_ref, created_at, operation_id)
  SELECT e.environment_id, h.last_id - c.entries + e.nth, e.event_id, e.entity_type, e.entity_id,
         e.action, e.external_ref, e.created_at, e.operation_id
  FROM entry e JOIN head h USING (environment_id) JOIN counted c USING (environment_id)`;
