import type { Stats } from '@sightline/contracts/statistics/get-stats-contract';
import type { z } from 'zod';

/** The numbers that do not change by themselves, as the free space of a disk does. */
export function countsOf(stats: z.output<typeof Stats>) {
  return { ...stats, storage_free: null, storage_free_bytes: null };
}
