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
