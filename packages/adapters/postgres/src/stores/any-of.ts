import type { Column, SQL } from 'drizzle-orm';
import { sql } from '../drizzle.ts';

/** The column has one of the values: one parameter, however many there are. */
export function anyOf(column: Column, values: readonly (number | string)[]): SQL {
  return sql`${column} = any(${sql.param(values)})`;
}
