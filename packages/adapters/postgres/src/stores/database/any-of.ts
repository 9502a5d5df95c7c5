import type { Column, SQL } from 'drizzle-orm';
import { eq, sql } from '../../drizzle.ts';

/** Whether the column has one of the values. The values are a single parameter, so the SQL text stays the same. */
export function anyOf(column: Column, values: readonly (number | string)[]): SQL {
  return sql`${column} = any(${sql.param(values)})`;
}

/** Works like {@link anyOf}, but compares a single value with `=`, so that an index on the column keeps its order. */
export function oneOf(column: Column, values: readonly number[]): SQL {
  const [only] = values;
  return values.length === 1 && only !== undefined ? eq(column, only) : anyOf(column, values);
}
