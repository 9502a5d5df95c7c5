import type { MediaStore } from '../media/media-store.ts';
import type { MaintenanceStore } from './maintenance-store.ts';

const BATCH = 500;

/**
 * Removes files that no row refers to, such as those that a crash between the file and its row left
 * behind. Younger files stay, because a request may be about to write their row. Answers how many
 * were removed.
 *
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
