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

/** The filters that the indexes of the orders answer. With others, the images are joined and sorted. */
const IN_INDEX: ReadonlySet<string> = new Set<keyof SourceFilter>([
  'type',
  'since',
  'until',
  'noDetections',
  'noTaggedFaces',
  'noCrops',
  'hasManualDetections',
  'takenSince',
  'takenUntil',
]);

/** Divides a list of images into buckets. */
export async function sourceBuckets(
  session: TransactionSession,
  filter: SourceFilter,
  order: SourceOrder,
): Promise<Buckets<Date | number | null>> {
  const isWalked = Object.keys(filter).every((name) => IN_INDEX.has(name));
  const condition = await conditionOf(session.db, filter, isWalked ? 'page' : 'all');
  const { walked, numbered } = rowsOf(session, condition, order);
  // Conditions that exclude each other accept no traits, so that there is no index to walk.
  const rows = isWalked && condition.traits.length > 0 ? walked : numbered;
  const { items, ...rest } = await readBuckets(session, [rows]);
  return {
    ...rest,
    items: items.map(({ first: { value, id }, count }) => ({
      // The driver reads the time `-infinity`, which stands for an unknown one, as a number.
      first: { value: value === -Infinity ? null : (value as Date | number), id },
      count,
    })),
  };
}

interface SourceRows {
  /** The images of each accepted trait number, in the order of an index, as in the pages of the list. */
  readonly walked: ListedRows;
  /** All images in one query. */
  readonly numbered: ListedRows;
}

function rowsOf(
  { db }: TransactionSession,
  { traits, condition }: SourceCondition,
  order: SourceOrder,
): SourceRows {
  const [column, type, direction] = ORDERS[order];
  const filtered = db
    .select({ one: sql`1` })
    .from(sourceImages)
    .where(condition ?? sql`true`)
    .toSQL();
  const where = filtered.sql.slice(filtered.sql.indexOf(' where ') + ' where '.length);
  const columns = { value: `source_images.${column}`, id: 'source_images.id' };
  const inOrder = `ORDER BY value ${direction}, id ${direction}`;
  const walkedParameters = new Placeholders(filtered.params);
  const accepted = traits.map((trait) => walkedParameters.of(trait, 'int'));
  const walked: ListedRows = {
    direction,
    type,
    parameters: walkedParameters,
    behind: (spot, cut) => {
      const sources = accepted.map(
        (trait) => `(
          SELECT ${columns.value} AS value, ${columns.id} FROM source_images
          WHERE source_images.traits = ${trait} AND ${isBehind(columns, spot, direction)} AND (${where})
          ${inOrder} ${cutOfSource(cut)})`,
      );
      return `SELECT value, id FROM (${sources.join(' UNION ALL ')}) AS listed ${inOrder} ${cutClauses(cut)}`;
    },
  };
  const parameters = new Placeholders(filtered.params);
  const whole = `
    SELECT ${columns.value} AS value, ${columns.id} FROM source_images
    WHERE source_images.traits = any(${parameters.of(traits, 'int[]')}) AND (${where})`;
  return { walked, numbered: { ...walked, parameters, whole } };
}
