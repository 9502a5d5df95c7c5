import type { Column, SQL } from 'drizzle-orm';
import { eq, sql } from '../../drizzle.ts';

/** The column has one of the values: one parameter, however many there are. */
export function anyOf(column: Column, values: readonly (number | string)[]): SQL {
  return sql`${column} = any(${sql.param(values)})`;
}

/** As {@link anyOf}; with a single value the order of an index that begins with the column is kept. */
export function oneOf(column: Column, values: readonly number[]): SQL {
  const [only] = values;
  return values.length === 1 && only !== undefined ? eq(column, only) : anyOf(column, values);
}
