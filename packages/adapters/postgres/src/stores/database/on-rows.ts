import type { TransactionSession } from '../../doors/transaction-session.ts';

export interface RowsOfValues {
  /** The name under which connections keep the plan for a single row. */
  readonly name: string;
  /** The types of the columns. */
  readonly types: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Runs one statement on rows of values; without rows, none. Only the statement for a single row is prepared, because it
 * looks up everything by key. For several rows, a plan that was kept from a small environment might read all rows of a
 * large one.
 *
 * @param text returns the statement, given the rows as SQL for a `FROM` clause
 */
export async function onRows<Row>(
  session: TransactionSession,
  { name, types, rows }: RowsOfValues,
  text: (rows: string) => string,
): Promise<readonly Row[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const parameters = (suffix: string) =>
    types.map((type, i) => `$${i + 1}::${type}${suffix}`).join(', ');
  if (rows.length === 1) {
    return session.prepared<Row>(name, text(`(SELECT ${parameters('')})`), first);
  }
  const columns = types.map((_, i) => rows.map((row) => row[i]));
  return session.query<Row>(text(`unnest(${parameters('[]')})`), columns);
}
