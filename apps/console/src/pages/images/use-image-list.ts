import { useMemo } from 'react';
import { useApi, useRead } from '../../client/api-context.tsx';
import { useBucketedRows } from '../../lists/use-bucketed-rows.ts';
import { imageList } from './image-list.ts';
import type { ImagesSearch } from './images-search.ts';

/** The images that match the search, with their number. */
export function useImageList(search: ImagesSearch) {
  const api = useApi();
  const { filter, counting, query, queryKey, load } = useMemo(
    () => imageList(api, search),
    [api, search],
  );
  const count = useRead('countImages', counting, { staleTime: Infinity });
  const buckets = useRead('listImageBuckets', { query }, { staleTime: Infinity });
  const current = useRead('countImages', counting, { isLive: true });
  const rows = useBucketedRows({
    queryKey,
    total: count.data?.count,
    countedAt: count.dataUpdatedAt,
    buckets,
    load,
  });
  return { filter, count, current, buckets, rows };
}
