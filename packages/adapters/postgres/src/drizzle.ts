import { createRequire } from 'node:module';
import type * as Orm from 'drizzle-orm';
import type * as NodePostgres from 'drizzle-orm/node-postgres';
import type * as Migrator from 'drizzle-orm/node-postgres/migrator';
import type * as PgCore from 'drizzle-orm/pg-core';

/*
 * What this package uses of drizzle, from its CommonJS build. For each of its hundred ES modules Node
 * parses drizzle's package.json anew, with 447 exports: half a second of CPU in each process, against
 * a tenth.
 */
const require = createRequire(import.meta.url);

export const {
  and,
  asc,
  count,
  DrizzleQueryError,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  or,
  sql,
} = require('drizzle-orm') as typeof Orm;

export const {
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgPolicy,
  pgTable,
  pgView,
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- only one of its overloads is
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} = require('drizzle-orm/pg-core') as typeof PgCore;

export const { drizzle } = require('drizzle-orm/node-postgres') as typeof NodePostgres;

export const { migrate: applyMigrations } =
  require('drizzle-orm/node-postgres/migrator') as typeof Migrator;
