import type { Column, SQL } from 'drizzle-orm';
import { eq, sql } from '../../drizzle.ts';

/** Whether the column has one of the values, which are passed as a single parameter. */
export function anyOf(column: Column, values: readonly (number | string)[]): SQL {
  return sql`${column} = any(${sql.param(values)})`;
}

/** As {@link anyOf}; a single value keeps the order of an index that begins with the column. */
export function oneOf(column: Column, values: readonly number[]): SQL {
  const [only] = values;
  return values.length === 1 && only !== undefined ? eq(column, only) : anyOf(column, values);
}
