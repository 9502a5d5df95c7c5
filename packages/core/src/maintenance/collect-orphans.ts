import type { MediaStore } from '../media/media-store.ts';
import type { MaintenanceStore } from './maintenance-store.ts';

const BATCH = 500;

/**
 * Removes files to which no row refers, for example because a process crashed before it wrote the row. Files that are
 * younger than `minAgeMs` are kept, because a request may be about to write their row.
 *
 * @returns the number of removed files
 * @throws StoreUnavailable
 */
export async function collectOrphans(
  deps: { readonly media: MediaStore; readonly maintenance: Pick<MaintenanceStore, 'orphans'> },
  minAgeMs: number,
  signal?: AbortSignal,
): Promise<number> {
  let collected = 0;
  let batch: string[] = [];
  const collect = async () => {
    const orphans = await deps.maintenance.orphans(batch, signal);
    await deps.media.remove(orphans, signal);
    collected += orphans.length;
    batch = [];
  };
  for await (const { key, ageMs } of deps.media.list('', signal)) {
    if (ageMs < minAgeMs) continue;
    batch.push(key);
    if (batch.length === BATCH) await collect();
  }
  if (batch.length > 0) await collect();
  return collected;
}
