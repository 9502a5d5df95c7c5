import { useQuery } from '@tanstack/react-query';
import { useApi } from '../client/api-context.tsx';
import type { Operation, OperationArguments, OperationBody } from '../client/operations.ts';
import { queryKey } from '../client/query-key.ts';

/** The last part of the keys of counts that follow all changes. */
export const LIVE = 'live';

/** Reads like `useRead`, and again after changes by others. A list beside it compares its own count with it. */
export function useLiveRead<O extends Operation>(operation: O, input: OperationArguments<O>[0]) {
  const api = useApi();
  return useQuery<OperationBody<O>>({
    queryKey: [...queryKey(api, operation, input), LIVE],
    queryFn: ({ signal }) =>
      api.read(operation, ...([{ ...input, signal }] as unknown as OperationArguments<O>)),
  });
}
