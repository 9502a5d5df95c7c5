import type { SourceFilter, SourceOrder } from '@sightline/core/sources/source-store';
import type { Buckets } from '@sightline/core/store/buckets';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { sql } from '../../drizzle.ts';
import { sourceImages } from '../../schema/source-images.ts';
import { cutClauses, cutOfSource, isBehind, type ListedRows } from '../database/listed-rows.ts';
import { Placeholders } from '../database/placeholders.ts';
import { readBuckets } from '../database/read-buckets.ts';
import { conditionOf, type SourceCondition } from './source-filter.ts';

const ORDERS = {
  newest: ['uploaded_at', 'timestamptz', 'desc'],
  oldest: ['uploaded_at', 'timestamptz', 'asc'],
  most_detections: ['detection_count', 'integer', 'desc'],
  fewest_detections: ['detection_count', 'integer', 'asc'],
  taken: ['taken_at', 'timestamptz', 'desc'],
} as const satisfies Readonly<Record<SourceOrder, object>>;

/** Divides a list of images into buckets. */
export async function sourceBuckets(
  session: TransactionSession,
  filter: SourceFilter,
  order: SourceOrder,
): Promise<Buckets<Date | number | null>> {
  const condition = await conditionOf(session.db, filter, 'page');
  const { items, ...rest } = await readBuckets(session, [rowsOf(session, condition, order)]);
  return {
    ...rest,
    items: items.map(({ first: { value, id }, count }) => ({
      // The driver reads the time `-infinity`, which stands for an unknown one, as a number.
      first: { value: value === -Infinity ? null : (value as Date | number), id },
      count,
    })),
  };
}

/** The images of each accepted trait number are read in the order of an index, as in the pages of the list. */
function rowsOf(
  { db }: TransactionSession,
  { traits, condition, isSelective }: SourceCondition,
  order: SourceOrder,
): ListedRows {
  const [column, type, direction] = ORDERS[order];
  const filtered = db
    .select({ one: sql`1` })
    .from(sourceImages)
    .where(condition ?? sql`true`)
    .toSQL();
  const where = filtered.sql.slice(filtered.sql.indexOf(' where ') + ' where '.length);
  const parameters = new Placeholders(filtered.params);
  const inOrder = `ORDER BY value ${direction}, id ${direction}`;
  const accepted = isSelective
    ? [`= any(${parameters.of(traits, 'int[]')})`]
    : traits.map((trait) => `= ${parameters.of(trait, 'int')}`);
  return {
    direction,
    type,
    parameters,
    isSorted: isSelective,
    behind: (spot, cut) => {
      const columns = { value: `source_images.${column}`, id: 'source_images.id' };
      const sources = accepted.map(
        (trait) => `(
          SELECT source_images.${column} AS value, source_images.id FROM source_images
          WHERE source_images.traits ${trait} AND ${isBehind(columns, spot, direction)} AND (${where})
          ${inOrder} ${cutOfSource(cut)})`,
      );
      return `SELECT value, id FROM (${sources.join(' UNION ALL ')}) AS listed ${inOrder} ${cutClauses(cut)}`;
    },
  };
}
