import type { ListPosition } from '@sightline/core/store/list-position';
import type { Page } from '@sightline/core/store/page';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { Placeholders } from './placeholders.ts';
import { takePage } from './take-page.ts';

export type SortValue = number | string | Date;

export interface Spot {
  /** SQL expressions for the value and the id of a position. */
  readonly value: string;
  readonly id: string;
}

/** SQL expressions for the number of rows to skip, and for that of the rows to return after them; all if absent. */
export interface Cut {
  readonly skip?: string;
  readonly most?: string;
}

export function cutClauses({ skip, most }: Cut): string {
  return `${skip === undefined ? '' : `OFFSET ${skip}`} ${most === undefined ? '' : `LIMIT ${most}`}`;
}

/** The clause for one of several sources whose rows are merged, so that each source is read in its order. */
export function cutOfSource({ skip, most }: Cut): string {
  if (most === undefined) return '';
  return `LIMIT ${skip === undefined ? most : `${skip} + ${most}`}`;
}

/** The rows of a list as SQL, in the order of one value and, among equal values, of the id. */
export interface ListedRows {
  readonly direction: 'asc' | 'desc';
  /** The Postgres type of the values; null if the value of each row is null, so that only the id gives the order. */
  readonly type: string | null;
  /** SQL of common table expressions that the text refers to, with a comma after each. */
  readonly shared?: string;
  /** Returns SQL that selects `value` and `id` of the rows behind a position, in order. */
  readonly behind: (spot: Spot, cut: Cut) => string;
  readonly parameters: Placeholders;
  /**
   * SQL that selects `value` and `id` of all rows, in any order, if the rows are not read in the order of an index, or if
   * the conditions are met faster for all of them than one after the other.
   */
  readonly whole?: string;
}

/** The values before the first row of a list, by type and direction. No list is in the descending order of texts. */
const FIRST: Readonly<Record<string, Readonly<Record<'asc' | 'desc', string>>>> = {
  bigint: { asc: '-1::bigint', desc: '9223372036854775807' },
  integer: { asc: '-1', desc: '2147483647' },
  float8: { asc: `'-infinity'::float8`, desc: `'infinity'::float8` },
  timestamptz: { asc: `'-infinity'::timestamptz`, desc: `'infinity'::timestamptz` },
  text: { asc: `''::text COLLATE "C"`, desc: `''::text COLLATE "C"` },
};

/** The place before the first row. It needs no parameters. */
export function firstSpot(direction: 'asc' | 'desc', type: string): Spot {
  return { value: FIRST[type]![direction], id: FIRST.bigint![direction] };
}

export type PartPosition = ListPosition<SortValue | null>;

/**
 * Reads a page of a list that consists of parts, one after the other. Positions of the last part may have null as
 * value; positions of the others have none.
 */
export async function readPositions(
  session: TransactionSession,
  parts: readonly ListedRows[],
  { after, limit }: { readonly after: PartPosition | null; readonly limit: number | null },
): Promise<Page<PartPosition>> {
  const found: PartPosition[] = [];
  for (const { rows, from } of partsFrom(parts, after)) {
    const missing = limit === null ? null : limit + 1 - found.length;
    if (missing === 0) break;
    const placeholders = new Placeholders(rows.parameters.values);
    const spot = spotOf(rows, from, placeholders);
    const cut = missing === null ? {} : { most: placeholders.of(missing, 'bigint') };
    const text = `${rows.shared === undefined ? '' : `WITH ${rows.shared.replace(/,\s*$/, '')}`}
      ${rows.behind(spot, cut)}`;
    found.push(...(await session.query<PartPosition>(text, placeholders.values)));
  }
  return takePage(found, limit);
}

interface PartStart {
  readonly rows: ListedRows;
  readonly from: PartPosition | null;
}

/** Returns the parts that have rows behind the position. */
export function partsFrom(
  parts: readonly ListedRows[],
  after: PartPosition | null,
): readonly PartStart[] {
  const index =
    after === null ? 0 : parts.findIndex(({ type }) => (type === null) === (after.value === null));
  if (index === -1) return [];
  return parts.slice(index).map((rows, i) => ({ rows, from: i === 0 ? after : null }));
}

/** SQL for a position, or for the place before the first row. */
export function spotOf(
  { direction, type }: ListedRows,
  from: PartPosition | null,
  placeholders: Placeholders,
): Spot {
  const id = from === null ? FIRST.bigint![direction] : placeholders.of(from.id, 'bigint');
  if (type === null) return { value: 'NULL::float8', id };
  const collation = type === 'text' ? ' COLLATE "C"' : '';
  const value =
    from === null ? FIRST[type]![direction] : `${placeholders.of(from.value, type)}${collation}`;
  return { value, id };
}

/** SQL that tells whether a row is behind a position. */
export function isBehind(columns: Spot, { value, id }: Spot, direction: 'asc' | 'desc'): string {
  return `(${columns.value}, ${columns.id}) ${direction === 'desc' ? '<' : '>'} (${value}, ${id})`;
}
