import { bigint, customType, timestamp } from '../drizzle.ts';

/**
 * A reference to a row of another table. Numbers hold ids up to 2^53 exactly, which suffice for 285 years at one id per
 * microsecond.
 */
export const rowId = (name: string) => bigint(name, { mode: 'number' });

/** The id of a row. Ids are unique in the installation and never reused. */
export const generatedId = () => rowId('id').notNull().generatedAlwaysAsIdentity();

/** The first column of every key and foreign key in tables that belong to an environment. */
export const environmentId = () => rowId('environment_id').notNull();

/** A time with millisecond precision, like in the API, so that a cursor contains the exact value. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
});

/** A SHA-256 digest: bytes in the database, hex in TypeScript. */
export const digest = customType<{ data: string; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (hex) => Buffer.from(hex, 'hex'),
  fromDriver: (value) => value.toString('hex'),
});

/** Text that is sorted by its bytes, so that the order is the same on every machine. */
export const textByBytes = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** A 64-bit transaction id, as decimal digits. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });

/** A snapshot of Postgres, which lists the transactions that were in progress at one time. */
export const snapshot = customType<{ data: string }>({ dataType: () => 'pg_snapshot' });

/** A time that may be unknown. It is stored as `-infinity` then, so that a list by time needs no rule for nulls. */
export const instantOrNever = customType<{ data: Date | null; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: (value) => (value === NEVER ? null : new Date(value)),
});

export const NEVER = '-infinity';
