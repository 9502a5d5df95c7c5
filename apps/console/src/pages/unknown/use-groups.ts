import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi, useRead } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { queryKey } from '../../client/query-key.ts';
import { useUndoable } from '../../undo/undo-context.tsx';

type GroupsPage = OperationBody<'listClusters'>;
export type FaceGroup = GroupsPage['clusters'][number];

const PAGE_SIZE = 25;
/** The number of faces of each group that are shown until the person asks for all. */
const SHOWN = 12;

/** Groups arise some seconds after their faces, and no change of the feed says it. */
const COUNT_AGAIN_MS = 3_000;

/** Faces that an undo gives back are in groups some seconds later, normally within this time. */
const RETURNING_MS = 30_000;
const RETURNING_AGAIN_MS = 1_000;

/** The number of groups at a threshold. */
export function useGroupCount(threshold: number | undefined): number | undefined {
  const options = { keepPrevious: true, refetchInterval: COUNT_AGAIN_MS };
  return useRead('countClusters', { query: { threshold } }, options).data?.count;
}

/**
 * The groups at a threshold. They keep their places while the person works, whatever happens elsewhere,
 * and are read again only when none is left.
 */
export function useGroups(threshold: number | undefined) {
  const api = useApi();
  const client = useQueryClient();
  const key = [...queryKey(api, 'listClusters', { threshold }), 'pages'];
  const query = useInfiniteQuery<
    GroupsPage,
    Error,
    InfiniteData<GroupsPage>,
    readonly unknown[],
    string | null
  >({
    queryKey: key,
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      api.read('listClusters', {
        query: { threshold, items: SHOWN, limit: PAGE_SIZE, cursor: pageParam ?? undefined },
        signal,
      }),
    getNextPageParam: ({ next_cursor: next }) => next,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: (previous) => previous,
  });
  const { refetch } = query;
  const stopReturning = useReturningGroups(threshold, query);
  const count = useGroupCount(threshold);
  const isEmpty = query.data?.pages[0]?.clusters.length === 0 && !query.hasNextPage;
  useEffect(() => {
    if (isEmpty && count !== undefined && count > 0) void refetch();
  }, [isEmpty, count, refetch]);
  const change = (convert: (groups: readonly FaceGroup[]) => readonly FaceGroup[]) =>
    client.setQueryData<InfiniteData<GroupsPage>>(
      key,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({ ...page, clusters: [...convert(page.clusters)] })),
        },
    );
  return {
    groups: query.data?.pages.flatMap(({ clusters }) => clusters),
    first: query.data?.pages[0],
    error: query.error,
    hasMore: query.hasNextPage,
    readMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
    /** Takes a group out of the list without reading it again, so that the others keep their places. */
    remove: (id: string) => {
      stopReturning();
      change((groups) => groups.filter((each) => each.cluster_id !== id));
    },
    /** Replaces a group in the list by the one that the service has returned. */
    replace: (id: string, group: FaceGroup) =>
      change((groups) => groups.map((each) => (each.cluster_id === id ? group : each))),
  };
}

/**
 * Reads the groups again whenever they have changed, for some time after an undo or until the person goes on deciding.
 *
 * @returns a function that ends it
 */
function useReturningGroups(
  threshold: number | undefined,
  { data, isFetching, refetch }: UseInfiniteQueryResult<InfiniteData<GroupsPage>>,
): () => void {
  const { takenBackAt } = useUndoable();
  const [endedAt, setEndedAt] = useState<number | null>(null);
  const isReturning = takenBackAt !== null && takenBackAt !== endedAt;
  const newest = useRead(
    'listClusters',
    { query: { threshold, items: 1, limit: 1 } },
    { enabled: isReturning, refetchInterval: RETURNING_AGAIN_MS, staleTime: 0, gcTime: 0 },
  );
  const end = () => setEndedAt(takenBackAt);
  useEffect(() => {
    if (takenBackAt === null) return undefined;
    const left = takenBackAt + RETURNING_MS - performance.now();
    const timer = setTimeout(() => setEndedAt(takenBackAt), left);
    return () => clearTimeout(timer);
  }, [takenBackAt]);
  const shown = data?.pages[0]?.as_of;
  const current = newest.data?.as_of;
  // The time of the groups never goes back, so an earlier answer can only be older than the list.
  const isOld = isReturning && isLater(current, shown);
  useEffect(() => {
    if (isOld && !isFetching) void refetch();
  }, [isOld, isFetching, refetch]);
  return end;
}

/** Compares the times of groups, which are undefined before the first answer, and null before the first groups. */
function isLater(time: string | null | undefined, other: string | null | undefined): boolean {
  return time != null && other !== undefined && (other === null || time > other);
}
