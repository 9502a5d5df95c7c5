import type { Stats } from '@sightline/contracts/statistics/get-stats-contract';
import type { z } from 'zod';

/** What of the numbers does not change by itself, as the free space of a disk does. */
export function countsOf(stats: z.output<typeof Stats>) {
  return { ...stats, storage_free: null, storage_free_bytes: null };
}
