import { boolean, check, pgTable, sql, text, uuid } from '../drizzle.ts';
import { bytes, instant } from './columns.ts';

/** What all processes of the installation have to agree on; one row. */
export const installation = pgTable(
  'installation',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    id: uuid('id')
      .notNull()
      .default(sql`gen_random_uuid()`),
    /** Changes when a restore gives events other places. */
    outboxEpoch: uuid('outbox_epoch')
      .notNull()
      .default(sql`gen_random_uuid()`),
    /** By which processes know that they have the same key for secrets. */
    secretKeyCheck: bytes('secret_key_check'),
    mediaKind: text('media_kind', { enum: ['files', 'bucket'] }),
    mediaPlace: text('media_place'),
    /**
     * The oldest release that works with this schema. A release must work with the schema of the next one, or
     * neither upgrades nor rollbacks run without a pause. So a migration adds, the code of that release stops using
     * what is replaced, and a migration of a release after that takes it away: with
     * `UPDATE installation SET least_release`, which names the first release that did not use it.
     */
    leastRelease: text('least_release').notNull().default('0.1.0'),
  },
  (table) => [
    check('installation_only', sql`${table.isOnly}`),
    check('installation_media_kind', sql`${table.mediaKind} in ('files', 'bucket')`),
    check('installation_media', sql`(${table.mediaKind} is null) = (${table.mediaPlace} is null)`),
  ],
);

/** Work that one process at a time does. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  holder: text('holder').notNull(),
  heldUntil: instant('held_until').notNull(),
});
