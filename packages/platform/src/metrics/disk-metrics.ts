import { Gauge } from 'prom-client';
import { freeBytesOf } from '../resilience/free-bytes.ts';
import { orAbort } from '../resilience/or-abort.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

/** How long a disk that does not answer may delay the metrics, in ms. */
const LOOKUP_MS = 1_000;

/**
 * Shows the bytes that this account may still write on the disks of folders.
 *
 * @param folders the paths of the folders, by their content
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
    help: 'Free bytes on the disk of a folder: data, or spool for the files of batches.',
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

/** Reads a disk once at a time: each read of a hanging disk occupies a thread. */
function readerOf(path: string): () => Promise<number> {
  let pending: Promise<number> | null = null;
  return () => {
    pending ??= freeBytesOf(path).finally(() => (pending = null));
    return orAbort(pending, AbortSignal.timeout(LOOKUP_MS));
  };
}
