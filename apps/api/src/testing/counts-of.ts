import type { Stats } from '@sightline/contracts/statistics/get-stats-contract';
import type { z } from 'zod';

/** Removes the free space of the disk, which other programs change, from the statistics. */
export function countsOf(stats: z.output<typeof Stats>) {
  return { ...stats, storage_free: null, storage_free_bytes: null };
}
