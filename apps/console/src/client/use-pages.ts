import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from './api-context.tsx';
import { queryKey } from './query-key.ts';
import type { Operation, OperationArguments, OperationBody } from './operations.ts';

/** The answer of a list in pages. */
interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** The operations whose answers are pages. */
export type PagedOperation = {
  [O in Operation]: OperationBody<O> extends PageOf<unknown> ? O : never;
}[Operation];

type ItemOf<O extends PagedOperation> =
  OperationBody<O> extends { readonly items: readonly (infer Item)[] } ? Item : never;

export interface Pages<O extends PagedOperation> {
  /** The rows that have been read, in the order of the list; undefined before the first answer. */
  readonly items: readonly ItemOf<O>[] | undefined;
  readonly first: OperationBody<O> | undefined;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  /** Whether the list is being read, from its beginning or further on. */
  readonly isReading: boolean;
  readonly readMore: () => void;
  readonly retry: () => void;
}

const PAGE_SIZE = 100;

export interface PagesOptions {
  /** How often the first page is read again, in ms, as long as it is the only one; null if it is not. */
  readonly firstPageMs?: number | null;
}

/** Reads a list page after page, as far as the person looks at it. */
export function usePages<O extends PagedOperation>(
  operation: O,
  input: OperationArguments<O>[0] = {} as OperationArguments<O>[0],
  { firstPageMs = null }: PagesOptions = {},
): Pages<O> {
  const api = useApi();
  const given = input as { readonly query?: object };
  const { data, error, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery<
      OperationBody<O>,
      Error,
      InfiniteData<OperationBody<O>>,
      readonly unknown[],
      string | null
    >({
      queryKey: [...queryKey(api, operation, given), 'pages'],
      initialPageParam: null,
      queryFn: ({ pageParam, signal }) => {
        const query = { limit: PAGE_SIZE, ...given.query, cursor: pageParam ?? undefined };
        return api.read(
          operation,
          ...([{ ...given, query, signal }] as unknown as OperationArguments<O>),
        );
      },
      getNextPageParam: (page) => (page as PageOf<unknown>).next_cursor,
      refetchInterval: ({ state }) =>
        firstPageMs !== null && (state.data?.pages.length ?? 0) <= 1 && firstPageMs,
    });
  return {
    items: data?.pages.flatMap((page) => (page as unknown as PageOf<ItemOf<O>>).items),
    first: data?.pages[0],
    error,
    hasMore: hasNextPage,
    isReadingMore: isFetchingNextPage,
    isReading: isFetching,
    readMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  };
}
