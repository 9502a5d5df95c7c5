import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useApi } from '../../client/api-context.tsx';
import type { OperationArguments, OperationBody } from '../../client/operations.ts';
import { queryKey } from '../../client/query-key.ts';

/** The operations that look at photos and store nothing. */
type Looking = 'testImage' | 'identifyFaces' | 'verifyFaces';

/**
 * The answer about a photo, which the page keeps so that no threshold and no change of the tab asks again.
 *
 * @param question what distinguishes the question from others, because photos have no key
 * @param input the request; null while there is nothing to ask
 */
export function useAnswer<O extends Looking>(
  operation: O,
  question: object,
  input: OperationArguments<O>[0] | null,
): UseQueryResult<OperationBody<O>> {
  const api = useApi();
  return useQuery<OperationBody<O>>({
    queryKey: queryKey(api, operation, question),
    queryFn: ({ signal }) =>
      api.read(operation, ...([{ ...input, signal }] as unknown as OperationArguments<O>)),
    enabled: input !== null,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
