import { useCallback, useMemo } from 'react';
import { useApi, useRead } from '../../client/api-context.tsx';
import { queryKey } from '../../client/query-key.ts';
import { PAGE_ROWS, type PageRequest } from '../../lists/paged-rows.ts';
import { useBucketedRows } from '../../lists/use-bucketed-rows.ts';
import type { PeopleSearch } from './people-search.ts';

/** The people that match the search, with their number. */
export function usePeopleList({ q, sort, waiting }: PeopleSearch) {
  const api = useApi();
  const query = useMemo(
    () => ({ type: 'face', q, sort, has_pending: waiting }) as const,
    [q, sort, waiting],
  );
  // The list has its number in each answer, so the smallest page counts it.
  const counting = { query: { ...query, limit: 1 } };
  const count = useRead('listIdentitySummaries', counting, { staleTime: Infinity });
  const current = useRead('listIdentitySummaries', counting, { isLive: true });
  const total = count.data?.total;
  const isLong = total !== undefined && total > PAGE_ROWS;
  const buckets = useRead(
    'listIdentityBuckets',
    { query },
    { staleTime: Infinity, enabled: isLong },
  );
  const rows = useBucketedRows({
    queryKey: queryKey(api, 'listIdentitySummaries', { query }),
    total,
    countedAt: count.dataUpdatedAt,
    buckets,
    load: useCallback(
      ({ cursor, limit, signal }: PageRequest) =>
        api.read('listIdentitySummaries', { query: { ...query, cursor, limit }, signal }),
      [api, query],
    ),
  });
  return { total, count, current, isLong, buckets, rows };
}
