import type { TransactionSession } from '../../doors/transaction-session.ts';

/** A table with rows of environments, as the catalog of the database describes it. */
export interface EnvironmentTable {
  /** Quoted for SQL where needed. */
  readonly name: string;
  /** The tables to which rows of this one refer, so that their rows have to be deleted later. */
  readonly parents: readonly string[];
  /** The columns by which rows refer to other rows of this table. */
  readonly references: readonly string[];
  /** The columns of an index that begins with the environment; null if there is none. */
  readonly order: string | null;
}

/** Entries of the audit stay for their time. The deletion itself needs the others until its end. */
const KEPT = ['audit', 'environment_deletions', 'members'];

/**
 * Reads the tables with an environment. Reading them from the catalog includes those of later releases, whose migrations
 * may already be applied.
 */
const TABLES = `
  WITH owned AS (
    SELECT c.oid, c.relname, a.attnum FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'environment_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($1::text[])
  ), reference AS (
    SELECT k.conrelid, k.confrelid, k.conkey FROM pg_constraint k
    WHERE k.contype = 'f' AND k.confdeltype NOT IN ('n', 'd')
  )
  SELECT quote_ident(o.relname) AS name,
    ARRAY(
      SELECT DISTINCT quote_ident(p.relname) FROM reference r JOIN owned p ON p.oid = r.confrelid
      WHERE r.conrelid = o.oid AND r.confrelid <> o.oid) AS parents,
    ARRAY(
      SELECT quote_ident(a.attname) FROM reference r JOIN pg_attribute a
        ON a.attrelid = o.oid AND a.attnum = ANY (r.conkey) AND a.attnum <> o.attnum
      WHERE r.conrelid = o.oid AND r.confrelid = o.oid) AS "references",
    (
      SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY place)
      FROM (
        SELECT i.indkey FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'
        WHERE i.indrelid = o.oid AND i.indkey[0] = o.attnum
          AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indisvalid
        ORDER BY i.indisprimary DESC, i.indexrelid LIMIT 1
      ) i, unnest(i.indkey) WITH ORDINALITY AS key (attnum, place)
      JOIN pg_attribute a ON a.attnum = key.attnum
      WHERE a.attrelid = o.oid
    ) AS "order"
  FROM owned o ORDER BY o.relname`;

/** Returns the tables in an order in which their rows can be deleted. */
export async function environmentTables(
  session: TransactionSession,
): Promise<readonly EnvironmentTable[]> {
  return childrenFirst(await session.query<EnvironmentTable>(TABLES, [KEPT]));
}

function childrenFirst(tables: readonly EnvironmentTable[]): readonly EnvironmentTable[] {
  const ordered: EnvironmentTable[] = [];
  let left = tables;
  while (left.length > 0) {
    const parents = new Set(left.flatMap((table) => table.parents));
    const free = left.filter(({ name }) => !parents.has(name));
    if (free.length === 0) {
      const names = left.map(({ name }) => name).join(', ');
      throw new Error(`The tables ${names} refer to each other, so their rows cannot be deleted.`);
    }
    ordered.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}
