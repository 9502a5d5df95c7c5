import { bigint, customType, timestamp } from '../drizzle.ts';

/** A reference to a row of another table. Ids stay below 2^53: one a microsecond for 285 years. */
export const rowId = (name: string) => bigint(name, { mode: 'number' });

/** The id of a row. Ids are installation-wide and never used again. */
export const generatedId = () => rowId('id').notNull().generatedAlwaysAsIdentity();

/** First in every key and foreign key of an environment's table. */
export const environmentId = () => rowId('environment_id').notNull();

/** Milliseconds, as in the API, so that a cursor made from one loses nothing. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
});

/** SHA-256, hex outside of the database. */
export const digest = customType<{ data: string; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (hex) => Buffer.from(hex, 'hex'),
  fromDriver: (value) => value.toString('hex'),
});

/** Text that sorts by its bytes, the same on every machine. */
export const textByBytes = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** The 64-bit id of a transaction, as decimal digits. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });
