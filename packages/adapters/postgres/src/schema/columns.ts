import { bigint, customType, timestamp } from '../drizzle.ts';

/** A reference to a row of another table. Ids stay below 2^53: 285 years at one per microsecond. */
export const rowId = (name: string) => bigint(name, { mode: 'number' });

/** The id of a row. Ids are unique in the installation and never reused. */
export const generatedId = () => rowId('id').notNull().generatedAlwaysAsIdentity();

/** The first column in every key and foreign key of an environment's table. */
export const environmentId = () => rowId('environment_id').notNull();

/** A time in milliseconds, as in the API, so that a cursor has the exact value. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
});

/** A SHA-256 digest, as hex outside of the database. */
export const digest = customType<{ data: string; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (hex) => Buffer.from(hex, 'hex'),
  fromDriver: (value) => value.toString('hex'),
});

/** Text in byte order, which is the same on every machine. */
export const textByBytes = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** The 64-bit id of a transaction, as decimal digits. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });

/** A snapshot: the transactions that had committed at one time. */
export const snapshot = customType<{ data: string }>({ dataType: () => 'pg_snapshot' });
