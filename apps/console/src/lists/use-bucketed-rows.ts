import type { QueryKey, UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { PAGE_ROWS } from './first-rows.ts';
import type { Bucket, PagedRows } from './paged-rows.ts';
import { type PagedRowsOptions, usePagedRows } from './use-paged-rows.ts';

/** Buckets may be 10 s older than the rows, and are read again until they are not. */
const BUCKETS_PAUSE_MS = 3_000;
const MAX_READS = 4;

export interface BucketedRowsOptions<Row> {
  readonly queryKey: QueryKey;
  /** The number of rows; undefined until it has been read. */
  readonly total: number | undefined;
  /** When the number was read. */
  readonly countedAt: number;
  /** The buckets, which a list of one page does without. */
  readonly buckets: UseQueryResult<{ readonly items: readonly Bucket[]; readonly total: number }>;
  readonly load: PagedRowsOptions<Row>['load'];
}

/** The rows of a list whose number and buckets are read apart. Each new reading of the number makes them be read again. */
export function useBucketedRows<Row extends { readonly id: number }>({
  queryKey,
  total,
  countedAt,
  buckets,
  load,
}: BucketedRowsOptions<Row>): PagedRows<Row> {
  const isStale = buckets.isSuccess && total !== undefined && buckets.data.total !== total;
  const single = useMemo(() => singleBucket(total), [total]);
  useReadAgain(isStale, total, buckets.refetch);
  return usePagedRows({
    queryKey,
    ...(single === undefined
      ? { buckets: buckets.data?.items, readAt: buckets.dataUpdatedAt, isStale }
      : { buckets: single, readAt: countedAt, isStale: false }),
    load,
  });
}

/** The only bucket of a list that is one page, so that such a list need not wait for buckets that are older than it. */
function singleBucket(total: number | undefined): readonly Bucket[] | undefined {
  if (total === undefined || total > PAGE_ROWS) return undefined;
  return [{ cursor: null, first: null, count: total }];
}

/** @param total another number of rows begins again, because rows may be added all the time */
function useReadAgain(
  isStale: boolean,
  total: number | undefined,
  refetch: () => Promise<unknown>,
): void {
  useEffect(() => {
    if (!isStale) return undefined;
    let left = MAX_READS;
    const timer = setInterval(() => {
      void refetch();
      left -= 1;
      if (left === 0) clearInterval(timer);
    }, BUCKETS_PAUSE_MS);
    return () => clearInterval(timer);
  }, [isStale, total, refetch]);
}
