import { createRequire } from 'node:module';
import type * as Orm from 'drizzle-orm';
import type * as NodePostgres from 'drizzle-orm/node-postgres';
import type * as PgCore from 'drizzle-orm/pg-core';

/*
 * The parts of drizzle that this package uses, from its CommonJS build. Node parses drizzle's package.json,
 * with 447 exports, again for each of its hundred ES modules: that costs half a second of CPU in each
 * process, and the CommonJS build a tenth of a second.
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
  lte,
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
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} = require('drizzle-orm/pg-core') as typeof PgCore;

export const { drizzle } = require('drizzle-orm/node-postgres') as typeof NodePostgres;
