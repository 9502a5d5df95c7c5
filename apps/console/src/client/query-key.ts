import type { Api } from './api.ts';
import type { Operation } from './operations.ts';

/** The key of a reading request in the cache. The first parts select all requests of an environment or an operation. */
export function queryKey(api: Api, operation: Operation, input?: object) {
  return [api.environment, operation, ...(input === undefined ? [] : [input])] as const;
}

/** The last part of the keys of requests that are repeated after changes by others. */
export const LIVE = 'live';
