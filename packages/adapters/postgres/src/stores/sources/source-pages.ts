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
import { and, asc, count, desc, eq, sql, unionAll } from '../../drizzle.ts';
import { sourceImages } from '../../schema/source-images.ts';
import { ALL_TRAITS } from '../../schema/source-traits.ts';
import { anyOf } from '../database/any-of.ts';
import {
  imagesWithoutDeleting,
  IS_UNAFFECTED,
  isAnythingDeleting,
} from '../detections/deleting-detections.ts';
import { SOURCE_COLUMNS } from './source-columns.ts';
import { conditionOf, type SourceCondition } from './source-filter.ts';
import { readTotals } from '../statistics/statistics.ts';
import { takePage } from '../database/take-page.ts';

/** Aliases of columns. The query builder would not select the columns themselves from a subquery or another table. */
const POSITION = {
  id: valueOf(sourceImages.id),
  uploadedAt: valueOf(sourceImages.uploadedAt),
  detectionCount: valueOf(sourceImages.detectionCount),
};

const ORDERS = {
  newest: { by: 'uploadedAt', direction: desc, beyond: sql`<` },
  oldest: { by: 'uploadedAt', direction: asc, beyond: sql`>` },
  most_detections: { by: 'detectionCount', direction: desc, beyond: sql`<` },
  fewest_detections: { by: 'detectionCount', direction: asc, beyond: sql`>` },
} as const satisfies Readonly<Record<SourceOrder, object>>;

export async function listSources(
  db: NodePgDatabase,
  filter: SourceFilter,
  page: SourcePage,
): Promise<Page<CountedSource>> {
  const positions = positionsOf(db, await select(db, filter, page), page).as('positions');
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
  return takePage(await positionsOf(db, await select(db, filter, page), page), page.limit);
}

export async function countSources(
  session: TransactionSession,
  filter: SourceFilter,
): Promise<number> {
  const { db } = session;
  const { images, traits, condition } = await select(db, filter, 'all');
  if (condition === undefined && isAny(traits)) {
    // Without filters, the counter of images is the exact number, because images stay when their identities are
    // deleted.
    return (await readTotals(session, ['sourceImages'])).sourceImages;
  }
  const [row] = await db
    .select({ count: count() })
    .from(images)
    .where(and(anyOf(sourceImages.traits, traits), condition));
  return row!.count;
}

interface Selection extends SourceCondition {
  /** The table of images, or its replacement without detections of identities that are being deleted. */
  readonly images: typeof sourceImages | SQL;
  /** The column by which an index finds the images with the accepted traits. */
  readonly indexed: SQLWrapper;
  /** More images, which no index finds in the order of the list; null if `images` has all. */
  readonly others: Pick<Selection, 'images' | 'condition'> | null;
}

async function select(
  db: NodePgDatabase,
  filter: SourceFilter,
  use: SourcePage | 'all',
): Promise<Selection> {
  const [isDeleting, resolved] = await Promise.all([
    isAnythingDeleting(db),
    conditionOf(db, filter, use === 'all' ? 'all' : 'page'),
  ]);
  const stored = {
    images: sourceImages,
    indexed: sourceImages.traits,
    others: null,
    ...resolved,
  };
  if (!isDeleting) return stored;
  if (use === 'all') return { ...stored, images: imagesWithoutDeleting('all') };
  const { condition, traits, isSelective } = resolved;
  const oneByOne = { ...stored, images: imagesWithoutDeleting('one by one') };
  if (isSelective) return oneByOne;
  const accepted = and(anyOf(sourceImages.traits, traits), condition);
  if (ORDERS[use.order].by === 'uploadedAt' && isKeptByMore(traits)) {
    return { ...oneByOne, condition: accepted, indexed: sql`stored_traits` };
  }
  const affected = { images: imagesWithoutDeleting('affected'), condition: accepted };
  return { ...stored, condition: and(IS_UNAFFECTED, condition), others: affected };
}

/** Whether an image with more traits than an accepted one is accepted, too. */
function isKeptByMore(traits: readonly number[]): boolean {
  return ALL_TRAITS.every(
    (more) => traits.includes(more) || !traits.some((accepted) => (accepted & more) === accepted),
  );
}

function isAny(traits: readonly number[]): boolean {
  return traits.length === ALL_TRAITS.length;
}

/** Selects the positions of a page and of the first image after it. */
function positionsOf(db: NodePgDatabase, selection: Selection, page: SourcePage) {
  const { others } = selection;
  const found = foundByIndex(db, selection, page);
  if (others === null) return found;
  const all = unionAll(found, pageOf(db, others, page)).as('listed');
  return db
    .select({ id: all.id, uploadedAt: all.uploadedAt, detectionCount: all.detectionCount })
    .from(all)
    .orderBy(...orderOf(all, page.order))
    .limit(page.limit + 1);
}

/**
 * Selects a page of those images that an index finds. To skip images with other traits, the query reads a
 * page for each accepted trait number, in index order, and merges these pages. If an index covers the remaining
 * condition, Postgres instead sorts the images that the index finds.
 */
function foundByIndex(db: NodePgDatabase, selection: Selection, page: SourcePage) {
  const { images, traits, condition, isSelective, indexed } = selection;
  if (isSelective) {
    return pageOf(
      db,
      { images, condition: and(anyOf(sourceImages.traits, traits), condition) },
      page,
    );
  }
  const ofTraits = sql`${indexed} = accepted.traits`;
  const pages = pageOf(db, { images, condition: and(ofTraits, condition) }, page).as('pages');
  return db
    .select({
      id: pages.id,
      uploadedAt: pages.uploadedAt,
      detectionCount: pages.detectionCount,
    })
    .from(sql`unnest(${sql.param(traits)}::int[]) as accepted (traits)`)
    .crossJoinLateral(pages)
    .orderBy(...orderOf(pages, page.order))
    .limit(page.limit + 1);
}

function pageOf(
  db: NodePgDatabase,
  { images, condition }: Pick<Selection, 'images' | 'condition'>,
  { order, after, limit }: SourcePage,
) {
  return db
    .select(POSITION)
    .from(images)
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
  return sql`(${column}, ${sourceImages.id}) ${beyond} (${sql.param(after[by], column)}, ${after.id})`;
}

/**
 * Selects a column under an alias that no table has, because the query builder does not qualify the column with the
 * name of a subquery.
 */
function valueOf<C extends AnyPgColumn>(column: C) {
  return sql<C['_']['data']>`${column}`.mapWith(column).as(`listed_${column.name}`);
}
