import { getTableColumns } from '@sightline/postgres/drizzle';
import type pg from 'pg';

type Table = Parameters<typeof getTableColumns>[0];

/** A row with its id, including ids that the database would generate. */
export type RowOf<T extends Table> = T['$inferInsert'] & { readonly id?: number };

const BATCH = 5_000;

/**
 * Inserts rows in batches, each as one text array per column. The first row names the columns; all others take their
 * defaults.
 *
 * @returns the number of rows
 */
export async function copyRows<T extends Table>(
  client: pg.Client,
  table: T,
  rows: Iterable<RowOf<T>>,
): Promise<number> {
  const columns = getTableColumns(table);
  let members: readonly string[] = [];
  let values: (string | null)[][] = [];
  let count = 0;
  const insert = async (): Promise<void> => {
    if (values[0] === undefined || values[0].length === 0) return;
    const names = members.map((member) => `"${columns[member]!.name}"`).join(', ');
    const cast = members.map(
      (member) => `"${columns[member]!.name}"::${columns[member]!.getSQLType()}`,
    );
    await client.query(
      `INSERT INTO ${nameOf(table)} (${names}) OVERRIDING SYSTEM VALUE SELECT ${cast.join(', ')}
       FROM unnest(${members.map((_, at) => `$${at + 1}::text[]`).join(', ')}) AS given (${names})`,
      values,
    );
    values = members.map(() => []);
  };
  for (const row of rows) {
    if (count++ === 0) {
      members = Object.keys(row);
      values = members.map(() => []);
    }
    for (const [at, member] of members.entries()) {
      const value = (row as Record<string, unknown>)[member];
      values[at]!.push(value == null ? null : textOf(columns[member]!.mapToDriverValue(value)));
    }
    if (values[0]!.length === BATCH) await insert();
  }
  await insert();
  return count;
}

function nameOf(table: Table): string {
  return `"${(table as Table & Record<symbol, string>)[Symbol.for('drizzle:Name')]!}"`;
}

function textOf(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}
