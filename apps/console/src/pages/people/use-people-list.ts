import { useMemo } from 'react';
import { useApi, useRead } from '../../client/api-context.tsx';
import { PAGE_ROWS } from '../../lists/first-rows.ts';
import { useBucketedRows } from '../../lists/use-bucketed-rows.ts';
import { peopleList } from './people-list.ts';
import type { PeopleSearch } from './people-search.ts';

/** The people that match the search, with their number. */
export function usePeopleList(search: PeopleSearch) {
  const api = useApi();
  const { query, counting, queryKey, load } = useMemo(() => peopleList(api, search), [api, search]);
  const count = useRead('listIdentitySummaries', counting, { staleTime: Infinity });
  const current = useRead('listIdentitySummaries', counting, { isLive: true });
  const total = count.data?.total;
  const isLong = total !== undefined && total > PAGE_ROWS;
  const buckets = useRead('listIdentityBuckets', { query }, { staleTime: Infinity });
  const rows = useBucketedRows({
    queryKey,
    total,
    countedAt: count.dataUpdatedAt,
    buckets,
    load,
  });
  return { total, count, current, isLong, buckets, rows };
}
