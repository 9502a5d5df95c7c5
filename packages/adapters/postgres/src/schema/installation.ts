import { boolean, check, pgTable, sql, text, uuid } from '../drizzle.ts';
import { bytes, instant } from './columns.ts';

/** The values on which all processes of the installation must agree; one row. */
export const installation = pgTable(
  'installation',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    id: uuid('id')
      .notNull()
      .default(sql`gen_random_uuid()`),
    /** Changes when a restore renumbers the outbox. */
    outboxEpoch: uuid('outbox_epoch')
      .notNull()
      .default(sql`gen_random_uuid()`),
    /** A check value by which processes notice that their keys for secrets differ. */
    secretKeyCheck: bytes('secret_key_check'),
    mediaKind: text('media_kind', { enum: ['files', 'bucket'] }),
    mediaLocation: text('media_location'),
    /**
     * The oldest release that works with this schema. A release must work with the schema of the next one;
     * otherwise upgrades and rollbacks interrupt the service. So a migration adds a column, the code of that release
     * stops using the column that it replaces, and a migration of a later release drops the old one. That migration
     * runs `UPDATE installation SET least_release`, which names the first release that did not use the old column.
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

/** Leases of work that one process at a time does. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  holder: text('holder').notNull(),
  heldUntil: instant('held_until').notNull(),
});

/** The migrations that have been applied, by the names of their folders. */
export const appliedMigrations = pgTable('applied_migrations', {
  name: text('name').primaryKey(),
  appliedAt: instant('applied_at').notNull().defaultNow(),
});
