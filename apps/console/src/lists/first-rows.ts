import type { QueryFunctionContext, QueryKey } from '@tanstack/react-query';

/** The most rows of a page, and the number of rows that each page but the last of a bucket has. */
export const PAGE_ROWS = 200;

export interface RowsPage<Row> {
  readonly items: readonly Row[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

export interface PageRequest {
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export type LoadPage<Row> = (request: PageRequest) => Promise<RowsPage<Row>>;

/** The reading of a list's first rows, which needs no buckets, so that it can begin before the page is there. */
export function firstRowsQuery<Row>(list: QueryKey, load: LoadPage<Row>) {
  return {
    queryKey: [...list, 'first'],
    queryFn: ({ signal }: Pick<QueryFunctionContext, 'signal'>) =>
      load({ cursor: undefined, limit: PAGE_ROWS, signal }),
  };
}
