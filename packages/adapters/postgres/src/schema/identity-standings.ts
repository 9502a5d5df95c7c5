import { bigint, foreignKey, index, pgTable, primaryKey, sql, text } from '../drizzle.ts';
import { environmentId, instant, instantOrNever, rowId } from './columns.ts';
import { identities } from './identities.ts';
import { environmentPolicies } from './policies.ts';

/**
 * The values by which identities are ordered and filtered, one row per identity. Triggers write the rows when changes of
 * the identity's counters are summed up; readers compute the values of identities with newer changes.
 */
export const identityStandings = pgTable(
  'identity_standings',
  {
    environmentId: environmentId(),
    identityId: rowId('identity_id').notNull(),
    type: text('type', { enum: ['face', 'object'] }).notNull(),
    createdAt: instant('created_at').notNull(),
    detectionCount: bigint('detection_count', { mode: 'number' }).notNull().default(0),
    pendingCount: bigint('pending_count', { mode: 'number' }).notNull().default(0),
    /** When the newest detection was detected. */
    lastSeenAt: instantOrNever('last_seen_at')
      .notNull()
      .default(sql`'-infinity'`),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.identityId] }),
    foreignKey({
      name: 'identity_standings_identity',
      columns: [table.environmentId, table.identityId],
      foreignColumns: [identities.environmentId, identities.id],
    }).onDelete('cascade'),
    // The last columns of the indexes allow index-only scans with filters.
    index('identity_standings_detections').on(
      table.environmentId,
      table.type,
      table.detectionCount,
      table.identityId,
      table.pendingCount,
    ),
    index('identity_standings_newest').on(
      table.environmentId,
      table.type,
      table.createdAt,
      table.identityId,
      table.detectionCount,
      table.pendingCount,
    ),
    index('identity_standings_last_seen').on(
      table.environmentId,
      table.type,
      table.lastSeenAt,
      table.identityId,
      table.detectionCount,
      table.pendingCount,
    ),
    index('identity_standings_pending')
      .on(table.environmentId, table.type, table.identityId)
      .where(sql`${table.pendingCount} > 0`),
    ...environmentPolicies(table.environmentId),
  ],
);
