import { QueryClient } from '@tanstack/react-query';
import { isTemporary, ProblemError } from './api-error.ts';

const MAX_READS = 4;
const LONGEST_PAUSE_MS = 30_000;

/** The cache of everything that the pages have read. Reads are repeated while the service cannot answer. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures + 1 < MAX_READS && isTemporary(error),
        retryDelay: pauseBeforeRetry,
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false },
    },
  });
}

/** The time before a read is repeated, in ms: what the service asks for, otherwise twice as long each time. */
function pauseBeforeRetry(failures: number, error: Error): number {
  const requested = error instanceof ProblemError ? error.retryAfter : null;
  return Math.min(requested === null ? 500 * 2 ** failures : requested * 1000, LONGEST_PAUSE_MS);
}
