import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { withClient } from '@sightline/test/support/servers/test-server';
import { knownMigrations } from './schema-version.ts';

const SCHEMA = join(import.meta.dirname, 'schema');

/** Selects columns, indexes and constraints as one line each, so that the test output names each difference. */
const IN_DATABASE = `
  SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END AS part
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT t.relname || ' index ' || i.relname
  FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
  WHERE t.relnamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.oid AND o.contype IN ('p', 'u'))
  UNION ALL
  SELECT t.relname || ' constraint ' || o.conname
  FROM pg_constraint o JOIN pg_class t ON t.oid = o.conrelid
  WHERE t.relnamespace = 'public'::regnamespace AND o.contype IN ('c', 'f')
  UNION ALL
  SELECT tablename || ' policy ' || policyname FROM pg_policies WHERE schemaname = 'public'`;

test('the migrations create exactly the tables that the code declares', async () => {
  await using database = await createMigratedDatabase();
  const { rows } = await withClient(database.connection, (client) =>
    client.query<{ part: string }>(IN_DATABASE),
  );
  const created = rows.map(({ part }) => part);
  const declared = (await declaredTables()).flatMap(partsOf);
  expect(declared.length).toBeGreaterThan(300);
  // Drizzle cannot express this foreign key.
  declared.push('identities constraint identities_cover_detection');
  expect(created.toSorted()).toEqual(declared.toSorted());
});

async function declaredTables(): Promise<readonly PgTable[]> {
  const modules = await Promise.all(
    readdirSync(SCHEMA).map(async (file) => (await import(join(SCHEMA, file))) as object),
  );
  const values = modules.flatMap((module) => Object.values(module) as unknown[]);
  return values.filter((value) => is(value, PgTable));
}

function partsOf(table: PgTable): readonly string[] {
  const { name, columns, indexes, checks, foreignKeys, policies } = getTableConfig(table);
  return [
    ...columns.map(
      (column) =>
        `${name}.${column.name} ${typeOf(column.getSQLType())}${column.notNull ? ' not null' : ''}`,
    ),
    ...indexes.map(({ config }) => `${name} index ${config.name}`),
    ...[...checks.map((check) => check.name), ...foreignKeys.map((key) => key.getName())].map(
      (constraint) => `${name} constraint ${constraint}`,
    ),
    ...policies.map((policy) => `${name} policy ${policy.name}`),
  ];
}

/** Converts a type of Drizzle to the name that Postgres uses. */
function typeOf(declared: string): string {
  return declared.replace(' COLLATE "C"', '').replace('timestamp (3)', 'timestamp(3)');
}

test('the migrations are numbered without gaps and repeats', async () => {
  const names = await knownMigrations();
  const numbers = names.map((_, index) => String(index).padStart(4, '0'));
  expect(names.map((name) => name.slice(0, 4))).toEqual(numbers);
});
