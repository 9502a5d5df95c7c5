import {
  type Bucket,
  type Buckets,
  FEWEST_IN_BUCKET,
  MOST_BUCKETS,
} from '@sightline/core/store/buckets';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { type ListedRows, type PartPosition, type SortValue, spotOf } from './listed-rows.ts';
import { Placeholders } from './placeholders.ts';

type Value = SortValue | null;

/** The most buckets, and the fewest rows of one that is not the last. Tests use small numbers. */
interface Limits {
  readonly most: number;
  readonly fewest: number;
}

const LIMITS: Limits = { most: MOST_BUCKETS, fewest: FEWEST_IN_BUCKET };

/**
 * Divides a list into buckets. Rows with an index are walked in its order, with one lookup for each bucket, which skips
 * the bucket's rows in the index; the size doubles whenever there are too many buckets. So the number of rows need not
 * be known before. The rows of a list that has to be sorted are numbered.
 */
export async function readBuckets(
  session: TransactionSession,
  parts: readonly ListedRows[],
  limits = LIMITS,
): Promise<Buckets<Value>> {
  const walk = new Walk(limits);
  for (const rows of parts) {
    const { whole } = rows;
    if (whole === undefined) await walkRows(session, rows, walk);
    else await numberRows(session, { ...rows, whole }, walk);
  }
  const [row] = await session.query<{ asOf: Date }>('SELECT now()::timestamptz(3) AS "asOf"');
  const items = walk.finish();
  return { items, total: items.reduce((sum, { count }) => sum + count, 0), asOf: row!.asOf };
}

interface OpenBucket {
  readonly first: PartPosition;
  count: number;
}

/** The buckets so far. The last one is open while its rows are being counted. */
class Walk {
  size: number;
  readonly #limits: Limits;
  #buckets: OpenBucket[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
    this.size = limits.fewest;
  }

  /** The number of further buckets after which the size doubles. */
  get room(): number {
    return this.#limits.most + 1 - this.#buckets.length;
  }

  /** Begins a part of the list. A bucket of the part before it that has too few rows goes on, or joins the one before. */
  enter(first: PartPosition): void {
    const last = this.#buckets.at(-1);
    if (last !== undefined && last.count < this.#limits.fewest) {
      const previous = this.#buckets.at(-2);
      if (previous === undefined) return;
      previous.count += last.count;
      this.#buckets.pop();
    }
    this.#buckets.push({ first, count: 0 });
  }

  /** Ends the open bucket, which has as many more rows as the size says, and begins the next one. */
  next(first: PartPosition): void {
    this.add(this.size);
    this.#buckets.push({ first, count: 0 });
  }

  /** Adds rows to the open bucket. */
  add(count: number): void {
    this.#buckets.at(-1)!.count += count;
  }

  /** Joins pairs of buckets, so that each has twice as many rows. The open one stays as it is. */
  double(): void {
    const open = this.#buckets.pop()!;
    this.#join();
    this.#buckets.push(open);
    this.size *= 2;
  }

  /** Joins buckets until there is room for at least a quarter of the most, and returns for how many there is. */
  makeRoom(): number {
    while (this.room - 1 < this.#limits.most / 4) this.double();
    return this.room - 1;
  }

  finish(): readonly Bucket<Value>[] {
    if (this.#buckets.length > this.#limits.most) this.#join();
    return this.#buckets;
  }

  #join(): void {
    const joined: OpenBucket[] = [];
    for (let i = 0; i < this.#buckets.length; i += 2) {
      const { first, count } = this.#buckets[i]!;
      joined.push({ first, count: count + (this.#buckets[i + 1]?.count ?? 0) });
    }
    this.#buckets = joined;
  }
}

async function walkRows(session: TransactionSession, rows: ListedRows, walk: Walk): Promise<void> {
  const [first] = await stepsFrom(session, rows, { from: null, size: 1, most: 1 });
  if (first === undefined) return;
  walk.enter(first);
  let from = first;
  for (;;) {
    const most = walk.room;
    const steps = await stepsFrom(session, rows, { from, size: walk.size, most });
    for (const step of steps) walk.next(step);
    from = steps.at(-1) ?? from;
    if (steps.length < most) break;
    walk.double();
  }
  walk.add(1 + (await countBehind(session, rows, { from, most: walk.size })));
}

/** Returns the positions of rows that are this far from each other. */
async function stepsFrom(
  session: TransactionSession,
  rows: ListedRows,
  {
    from,
    size,
    most,
  }: { readonly from: PartPosition | null; readonly size: number; readonly most: number },
): Promise<readonly PartPosition[]> {
  const parameters = new Placeholders(rows.parameters.values);
  const spot = spotOf(rows, from, parameters);
  const next = rows.behind(
    { value: 'walk.value', id: 'walk.id' },
    { skip: parameters.of(size - 1, 'bigint'), most: '1' },
  );
  const text = `
    WITH RECURSIVE ${rows.shared ?? ''} walk (step, value, id) AS (
      SELECT 0, ${spot.value}, ${spot.id}
      UNION ALL
      SELECT walk.step + 1, next.value, next.id FROM walk CROSS JOIN LATERAL (${next}) AS next (value, id)
      WHERE walk.step < ${parameters.of(most, 'int')}
    )
    SELECT value, id FROM walk WHERE step > 0 ORDER BY step`;
  return session.query<PartPosition>(text, parameters.values);
}

/** Counts the rows behind a position, up to a number. */
async function countBehind(
  session: TransactionSession,
  rows: ListedRows,
  { from, most }: { readonly from: PartPosition; readonly most: number },
): Promise<number> {
  const parameters = new Placeholders(rows.parameters.values);
  const spot = spotOf(rows, from, parameters);
  const behind = rows.behind(spot, { most: parameters.of(most, 'bigint') });
  const [row] = await session.query<{ count: number }>(
    `${withShared(rows)} SELECT count(*) AS count FROM (${behind}) AS rest`,
    parameters.values,
  );
  return row!.count;
}

/** Divides rows that are sorted as a whole. */
async function numberRows(
  session: TransactionSession,
  rows: ListedRows & { readonly whole: string },
  walk: Walk,
): Promise<void> {
  const order = rows.direction === 'desc' ? 'DESC' : 'ASC';
  const room = walk.makeRoom();
  const size = `greatest(${walk.size}, ceil(total / ${room}.0)::bigint)`;
  const found = await session.query<PartPosition & { readonly count: number }>(
    `${withShared(rows)}
     SELECT value, id, least(${size}, total - number) AS count FROM (
       SELECT value, id, row_number() OVER (ORDER BY value ${order}, id ${order}) - 1 AS number,
         count(*) OVER () AS total
       FROM (${rows.whole}) AS listed
     ) AS numbered
     WHERE number % ${size} = 0 ORDER BY number`,
    rows.parameters.values,
  );
  for (const { value, id, count } of found) {
    walk.enter({ value, id });
    walk.add(count);
  }
}

function withShared({ shared }: ListedRows): string {
  return shared === undefined ? '' : `WITH ${shared.replace(/,\s*$/, '')}`;
}
