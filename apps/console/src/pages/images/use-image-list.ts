import { useCallback, useMemo } from 'react';
import { useApi, useRead } from '../../client/api-context.tsx';
import { queryKey } from '../../client/query-key.ts';
import type { PageRequest } from '../../lists/paged-rows.ts';
import { useBucketedRows } from '../../lists/use-bucketed-rows.ts';
import { type ImagesSearch, toFilter } from './images-search.ts';

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
  const current = useRead('countImages', { query: filter }, { isLive: true });
  const rows = useBucketedRows({
    queryKey: queryKey(api, 'listImages', { query: { ...filter, sort } }),
    total: count.data?.count,
    countedAt: count.dataUpdatedAt,
    buckets,
    load: useCallback(
      ({ cursor, limit, signal }: PageRequest) =>
        api.read('listImages', { query: { ...filter, sort, cursor, limit }, signal }),
      [api, filter, sort],
    ),
  });
  return { filter, count, current, buckets, rows };
}
