import type { Page } from '@sightline/core/store/page';

/** Makes a page from the rows of a query that selected one row more than the limit. */
export function takePage<Row>(rows: readonly Row[], limit: number | null): Page<Row> {
  if (limit === null || rows.length <= limit) return { items: rows, hasMore: false };
  return { items: rows.slice(0, limit), hasMore: true };
}
