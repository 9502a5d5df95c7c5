import { type Column, type SQL, sql } from 'drizzle-orm';

/** The column has one of the values: one parameter, however many there are. */
export function anyOf(column: Column, values: readonly (number | string)[]): SQL {
  return sql`${column} = any(${sql.param(values)})`;
}
