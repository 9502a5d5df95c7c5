import type { QueryFunctionContext } from '@tanstack/react-query';
import type { Api } from './api.ts';
import type { Operation, OperationArguments, OperationBody } from './operations.ts';
import { queryKey } from './query-key.ts';

/** A reading request for the cache of queries. */
export function readQuery<O extends Operation>(
  api: Api,
  operation: O,
  input?: OperationArguments<O>[0],
) {
  return {
    queryKey: queryKey(api, operation, input),
    queryFn: ({ signal }: Pick<QueryFunctionContext, 'signal'>): Promise<OperationBody<O>> =>
      api.read(operation, ...([{ ...input, signal }] as unknown as OperationArguments<O>)),
  };
}
