import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { firstRowsQuery, type LoadPage } from './first-rows.ts';
import { type Bucket, PagedRows } from './paged-rows.ts';

export interface PagedRowsOptions<Row> {
  /** The key of the list in the cache of queries. Another key is another list. */
  readonly queryKey: QueryKey;
  /** The buckets; undefined until they have been read. */
  readonly buckets: readonly Bucket[] | undefined;
  /** When the buckets were read, because equal buckets may have other rows. */
  readonly readAt: number;
  /** Whether the buckets are older than what is known of the list, so that its rows stay as they are. */
  readonly isStale: boolean;
  /** Reads a page. The function stays the same over renderings. */
  readonly load: LoadPage<Row>;
}

/** The rows of a list in pages. Each new reading of the buckets makes the rows in view be read again. */
export function usePagedRows<Row extends { readonly id: number }>({
  queryKey,
  buckets,
  readAt,
  isStale,
  load,
}: PagedRowsOptions<Row>): PagedRows<Row> {
  const client = useQueryClient();
  const list = JSON.stringify(queryKey);
  const rows = useMemo(() => {
    let reads = 0;
    return new PagedRows<Row>((request) =>
      // The cache of queries repeats failed requests, but the rows keep the pages themselves. Each reading has a key of
      // its own, because it would otherwise join one of the same page that has just been aborted.
      client.query({
        // oxlint-disable-next-line react/immutability -- counted when a page is read, which is after the rendering
        queryKey: [...(JSON.parse(list) as QueryKey), 'page', ++reads],
        queryFn: ({ signal }) =>
          load({ ...request, signal: AbortSignal.any([signal, request.signal]) }),
        gcTime: 0,
        staleTime: 0,
      }),
    );
  }, [client, list, load]);
  useEffect(() => {
    rows.begin(client.query(firstRowsQuery(JSON.parse(list) as QueryKey, load)));
  }, [rows, client, list, load]);
  useEffect(() => {
    if (buckets === undefined || (isStale && rows.total !== null)) return;
    rows.refresh(buckets);
  }, [rows, buckets, readAt, isStale]);
  return rows;
}
