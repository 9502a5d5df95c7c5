import type { Column, SQL } from 'drizzle-orm';
import { eq, sql } from '../../drizzle.ts';

/**
 * Whether the column has one of the values. All values are one array parameter, so the SQL text does not depend on
 * their number.
 */
export function anyOf(column: Column, values: readonly (number | string | Uint8Array)[]): SQL {
  return sql`${column} = any(${sql.param(values)})`;
}

/**
 * Works like {@link anyOf}, but compares a single value with `=`. Postgres can then read the rows in the order of the
 * index columns that follow this column.
 */
export function oneOf(column: Column, values: readonly number[]): SQL {
  const [only] = values;
  return values.length === 1 && only !== undefined ? eq(column, only) : anyOf(column, values);
}
