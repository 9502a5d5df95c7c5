import { useCallback, useEffect, useMemo } from 'react';
import { useApi, useInvalidate, useRead } from '../../client/api-context.tsx';
import { queryKey } from '../../client/query-key.ts';
import { type Bucket, PAGE_ROWS, type PageRequest } from '../../lists/paged-rows.ts';
import { usePagedRows } from '../../lists/use-paged-rows.ts';
import { useLiveRead } from '../../live/use-live-read.ts';
import { type ImagesSearch, toFilter } from './images-search.ts';

/** Buckets may be 10 s older than the rows, and are read again until they are not. */
const BUCKETS_PAUSE_MS = 3_000;
const MAX_READS = 4;

/** The images that match the search, with their number. */
export function useImageList(search: ImagesSearch) {
  const api = useApi();
  const filter = useMemo(() => toFilter(search), [search]);
  const sort = search.sort ?? 'newest';
  const count = useRead('countImages', { query: filter }, { staleTime: Infinity });
  const buckets = useRead(
    'listImageBuckets',
    { query: { ...filter, sort } },
    { staleTime: Infinity },
  );
  const current = useLiveRead('countImages', { query: filter });
  const isStale = buckets.isSuccess && count.isSuccess && buckets.data.total !== count.data.count;
  const single = useMemo(() => singleBucket(count.data?.count), [count.data]);
  const rows = usePagedRows({
    queryKey: queryKey(api, 'listImages', { query: { ...filter, sort } }),
    ...(single === undefined
      ? { buckets: buckets.data?.items, readAt: buckets.dataUpdatedAt, isStale }
      : { buckets: single, readAt: count.dataUpdatedAt, isStale: false }),
    load: useCallback(
      ({ cursor, limit, signal }: PageRequest) =>
        api.read('listImages', { query: { ...filter, sort, cursor, limit }, signal }),
      [api, filter, sort],
    ),
  });
  useReadAgain(isStale, count.data?.count);
  return { filter, count, current, buckets, rows };
}

/** The only bucket of a list that is one page, so that such a list need not wait for buckets that are older than it. */
function singleBucket(count: number | undefined): readonly Bucket[] | undefined {
  if (count === undefined || count > PAGE_ROWS) return undefined;
  return [{ cursor: null, first: null, count }];
}

/** @param count another number of images begins again, because images may be added all the time */
function useReadAgain(isStale: boolean, count: number | undefined): void {
  const invalidate = useInvalidate();
  useEffect(() => {
    if (!isStale) return undefined;
    let left = MAX_READS;
    const timer = setInterval(() => {
      void invalidate('listImageBuckets');
      left -= 1;
      if (left === 0) clearInterval(timer);
    }, BUCKETS_PAUSE_MS);
    return () => clearInterval(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the function is another one with each rendering
  }, [isStale, count]);
}
