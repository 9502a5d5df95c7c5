import { Gauge } from 'prom-client';
import { freeBytesOf } from '../data-folder/free-bytes.ts';
import { orAbort } from '../resilience/or-abort.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

/** The timeout of a lookup, in ms, so that a disk that does not respond delays the metrics only briefly. */
const LOOKUP_MS = 1_000;

/**
 * Adds a gauge of the free disk space that this account can use, for each folder.
 *
 * @param folders the paths of the folders, by the value of the label `folder`
 */
export function createDiskMetrics(
  registry: MetricsRegistry,
  folders: Readonly<Record<string, string>>,
): void {
  const disks = Object.entries(folders).map(([folder, path]) => ({
    folder,
    read: readerOf(path),
  }));
  new Gauge({
    name: 'sightline_disk_free_bytes',
    help: 'Free bytes on the disk of a folder: data, or spool for temporary files of batches.',
    labelNames: ['folder'],
    registers: [registry],
    async collect() {
      await Promise.all(
        disks.map(async ({ folder, read }) => {
          const bytes = await read().catch(() => null);
          if (bytes === null) this.remove({ folder });
          else this.set({ folder }, bytes);
        }),
      );
    },
  });
}

/** Limits the lookups of a disk to one at a time, because each lookup of a hanging disk occupies a thread. */
function readerOf(path: string): () => Promise<number> {
  let pending: Promise<number> | null = null;
  return () => {
    pending ??= freeBytesOf(path).finally(() => (pending = null));
    return orAbort(pending, AbortSignal.timeout(LOOKUP_MS));
  };
}
