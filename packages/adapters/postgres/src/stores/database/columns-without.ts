import type { PgTable } from 'drizzle-orm/pg-core';
import { getTableColumns } from '../../drizzle.ts';

export function columnsWithout<
  Table extends PgTable,
  Name extends string & keyof Table['_']['columns'],
>(table: Table, ...names: readonly Name[]): Omit<Table['_']['columns'], Name> {
  const left = Object.entries(getTableColumns(table)).filter(
    ([name]) => !names.includes(name as Name),
  );
  return Object.fromEntries(left) as Omit<Table['_']['columns'], Name>;
}
