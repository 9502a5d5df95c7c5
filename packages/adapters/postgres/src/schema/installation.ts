import { boolean, check, pgTable, sql, text, uuid } from '../drizzle.ts';
import { bytes, instant } from './columns.ts';

/** The single row of values on which all processes of the installation must agree. */
export const installation = pgTable(
  'installation',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    id: uuid('id')
      .notNull()
      .default(sql`gen_random_uuid()`),
    /**
     * The id of the numbering of the outbox. It changes when a restored database gets new positions, because old
     * positions cannot be compared with new ones.
     */
    outboxEpoch: uuid('outbox_epoch')
      .notNull()
      .default(sql`gen_random_uuid()`),
    /** A hash by which processes notice that they have different keys for secrets. */
    secretKeyCheck: bytes('secret_key_check'),
    mediaKind: text('media_kind', { enum: ['files', 'bucket'] }),
    mediaLocation: text('media_location'),
    /**
     * The oldest release that works with this schema. To upgrade or roll back without an outage, each release must work
     * with the schema of the next one. So a column is replaced in two releases. The first release adds the new column
     * and stops using the old one. A migration of a later release drops the old column and runs `UPDATE installation
     * SET least_release` with the first of these releases.
     */
    leastRelease: text('least_release').notNull().default('0.1.0'),
  },
  (table) => [
    check('installation_only', sql`${table.isOnly}`),
    check('installation_media_kind', sql`${table.mediaKind} in ('files', 'bucket')`),
    check(
      'installation_media',
      sql`(${table.mediaKind} is null) = (${table.mediaLocation} is null)`,
    ),
  ],
);

/** Leases of work that must run in only one process at a time. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  holder: text('holder').notNull(),
  heldUntil: instant('held_until').notNull(),
});

export const appliedMigrations = pgTable('applied_migrations', {
  name: text('name').primaryKey(),
  appliedAt: instant('applied_at').notNull().defaultNow(),
});
