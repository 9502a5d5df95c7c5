import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Api } from './api.ts';
import type { Operation, OperationArguments, OperationBody } from './operations.ts';
import { LIVE, queryKey } from './query-key.ts';
import { readQuery } from './read-query.ts';

const ApiContext = createContext<Api | null>(null);

export const ApiProvider = ApiContext.Provider;

/** The API in the environment of the page. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('The component is outside of an ApiProvider.');
  return api;
}

type ReadOptions<O extends Operation> = Pick<
  UseQueryOptions<OperationBody<O>>,
  'enabled' | 'refetchInterval' | 'staleTime' | 'gcTime'
> & {
  /** Whether the rows of the previous input stay until those of the next one are there. */
  readonly keepPrevious?: boolean;
  /** Whether it reads again after changes by others. A list beside it compares its own count with it. */
  readonly isLive?: boolean;
};

/** Reads with one operation, and again whenever its key in the cache is invalidated. */
export function useRead<O extends Operation>(
  operation: O,
  input?: OperationArguments<O>[0],
  { keepPrevious = false, isLive = false, ...options }: ReadOptions<O> = {},
): UseQueryResult<OperationBody<O>> {
  const query = readQuery(useApi(), operation, input);
  return useQuery<OperationBody<O>>({
    ...query,
    ...(isLive && { queryKey: [...query.queryKey, LIVE] }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...options,
  });
}

/** Returns a function that makes all readers of the given operations read again. */
export function useInvalidate(): (...operations: Operation[]) => Promise<void> {
  const api = useApi();
  const client = useQueryClient();
  return async (...operations) => {
    await Promise.all(
      operations.map((operation) =>
        client.invalidateQueries({ queryKey: queryKey(api, operation) }),
      ),
    );
  };
}
