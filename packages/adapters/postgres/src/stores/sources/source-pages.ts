import type { SQL, SQLWrapper } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { CountedSource } from '@sightline/core/sources/source-image';
import type {
  SourceFilter,
  SourceOrder,
  SourcePage,
  SourcePosition,
} from '@sightline/core/sources/source-store';
import type { Page } from '@sightline/core/store/page';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { and, asc, count, desc, eq, sql } from '../../drizzle.ts';
import { NEVER } from '../../schema/columns.ts';
import { sourceImages } from '../../schema/source-images.ts';
import { ALL_TRAITS } from '../../schema/source-traits.ts';
import { anyOf } from '../database/any-of.ts';
import { SOURCE_COLUMNS } from './source-columns.ts';
import { conditionOf, type SourceCondition } from './source-filter.ts';
import { readTotals } from '../statistics/statistics.ts';
import { takePage } from '../database/take-page.ts';

/** Aliases of columns. The query builder would not select the columns themselves from a subquery or another table. */
const POSITION = {
  id: valueOf(sourceImages.id),
  uploadedAt: valueOf(sourceImages.uploadedAt),
  detectionCount: valueOf(sourceImages.detectionCount),
  takenAt: valueOf(sourceImages.takenAt),
};

const ORDERS = {
  newest: { by: 'uploadedAt', direction: desc, beyond: sql`<` },
  oldest: { by: 'uploadedAt', direction: asc, beyond: sql`>` },
  most_detections: { by: 'detectionCount', direction: desc, beyond: sql`<` },
  fewest_detections: { by: 'detectionCount', direction: asc, beyond: sql`>` },
  taken: { by: 'takenAt', direction: desc, beyond: sql`<` },
} as const satisfies Readonly<Record<SourceOrder, object>>;

export async function listSources(
  db: NodePgDatabase,
  filter: SourceFilter,
  page: SourcePage,
): Promise<Page<CountedSource>> {
  const positions = positionsOf(db, await conditionOf(db, filter, 'page'), page).as('positions');
  const rows = await db
    .select({ ...SOURCE_COLUMNS, detectionCount: positions.detectionCount })
    .from(positions)
    .innerJoin(sourceImages, eq(sourceImages.id, positions.id))
    .orderBy(...orderOf(positions, page.order));
  return takePage(rows, page.limit);
}

export async function listPositions(
  db: NodePgDatabase,
  filter: SourceFilter,
  page: SourcePage,
): Promise<Page<SourcePosition>> {
  return takePage(await positionsOf(db, await conditionOf(db, filter, 'page'), page), page.limit);
}

export async function countSources(
  session: TransactionSession,
  filter: SourceFilter,
): Promise<number> {
  const { db } = session;
  const { traits, condition } = await conditionOf(db, filter, 'all');
  if (condition === undefined && traits.length === ALL_TRAITS.length) {
    // Without filters, the counter of images is the exact number.
    return (await readTotals(session, ['sourceImages'])).sourceImages;
  }
  const [row] = await db
    .select({ count: count() })
    .from(sourceImages)
    .where(and(anyOf(sourceImages.traits, traits), condition));
  return row!.count;
}

/**
 * Selects the positions of a page and of the first image after it. To skip images with other traits, the query reads a
 * page for each accepted trait number, in index order, and merges these pages. If an index covers the remaining
 * condition, Postgres instead sorts the images that the index finds.
 */
function positionsOf(
  db: NodePgDatabase,
  { traits, condition, isSelective }: SourceCondition,
  page: SourcePage,
) {
  if (isSelective) return pageOf(db, and(anyOf(sourceImages.traits, traits), condition), page);
  const ofTraits = sql`${sourceImages.traits} = accepted.traits`;
  const pages = pageOf(db, and(ofTraits, condition), page).as('pages');
  return db
    .select({
      id: pages.id,
      uploadedAt: pages.uploadedAt,
      detectionCount: pages.detectionCount,
      takenAt: pages.takenAt,
    })
    .from(sql`unnest(${sql.param(traits)}::int[]) as accepted (traits)`)
    .crossJoinLateral(pages)
    .orderBy(...orderOf(pages, page.order))
    .limit(page.limit + 1);
}

function pageOf(
  db: NodePgDatabase,
  condition: SQL | undefined,
  { order, after, limit }: SourcePage,
) {
  return db
    .select(POSITION)
    .from(sourceImages)
    .where(and(condition, after === null ? undefined : isBeyond(after, order)))
    .orderBy(...orderOf(sourceImages, order))
    .limit(limit + 1);
}

type Positioned = Readonly<Record<keyof SourcePosition, SQLWrapper>>;

function orderOf(columns: Positioned, order: SourceOrder): SQL[] {
  const { by, direction } = ORDERS[order];
  return [direction(columns[by]), direction(columns.id)];
}

function isBeyond(after: SourcePosition, order: SourceOrder): SQL {
  const { by, beyond } = ORDERS[order];
  const column = sourceImages[by];
  const value = after[by] === null ? sql`${NEVER}::timestamptz` : sql.param(after[by], column);
  return sql`(${column}, ${sourceImages.id}) ${beyond} (${value}, ${after.id})`;
}

/**
 * Selects a column under an alias that no table has, because the query builder does not qualify the column with the
 * name of a subquery.
 */
function valueOf<C extends AnyPgColumn>(column: C) {
  return sql<C['_']['data']>`${column}`.mapWith(column).as(`listed_${column.name}`);
}
