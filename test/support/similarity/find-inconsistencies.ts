import { openComparison } from '@sightline/composition/vectors/open-comparison';
import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import type { MediaStore } from '@sightline/core/media/media-store';
import { checkSimilarity } from '@sightline/core/similarity/check-similarity';
import type { PostgresStores } from '@sightline/postgres/open-postgres';

/** How often the rows are checked until all changes have been followed. Each check waits some seconds for them. */
const CHECKS = 6;

export interface CheckedStores extends Pick<
  PostgresStores,
  'database' | 'eraser' | 'indexSource' | 'maintenance' | 'openFaces' | 'similarityQueue'
> {
  readonly media: MediaStore;
}

/**
 * Returns what `sightline check --deep` finds when all changes have been followed. The check runs in the test's own
 * process, because each call of the command costs a second of CPU. The service's index must be exact.
 */
export async function findInconsistencies(stores: CheckedStores): Promise<readonly string[]> {
  const { database, indexSource, openFaces, similarityQueue } = stores;
  await using comparison = openComparison();
  const deps = { ...comparison, database, indexSource, source: openFaces, queue: similarityQueue };
  for (let attempts = 0; attempts < CHECKS; attempts++) {
    const rows = await checkConsistency(stores, { deep: true });
    const { findings, skipped } = await checkSimilarity(deps, { isExact: true });
    const all = [...rows, ...findings];
    if (all.length > 0 || skipped.length === 0) return all;
  }
  throw new Error('The similarity of faces is still being followed.');
}
