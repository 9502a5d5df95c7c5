import { join } from 'node:path';
import { QdrantProcess } from '../support/servers/qdrant-process.ts';
import { openSlowProxy } from '../support/servers/slow-proxy.ts';
import { mountSmall } from '../support/fixtures/small-file-system.ts';
import { type BreakableService, processFaults, slowness } from './breakable-service.ts';
import { fullness, readOnliness } from './full-disk.ts';

/**
 * The size of the disk, enough for the collections of one model, each of which starts with a log of
 * 32 MB.
 */
const DISK_MEGABYTES = 512;

/**
 * A Qdrant behind a proxy that can be slow. It can lose its data; its disk can be full or read-only if this
 * account may mount one.
 */
export async function openBreakableQdrant(): Promise<BreakableService> {
  await using opening = new AsyncDisposableStack();
  const disk = mountSmall(DISK_MEGABYTES);
  if (disk !== null) opening.use(disk);
  const folder = disk === null ? {} : { folder: join(disk.path, 'qdrant') };
  const qdrant = opening.use(await QdrantProcess.start(folder));
  const { hostname: host, port } = qdrant.url;
  const proxy = opening.use(await openSlowProxy({ host, port: Number(port) }));
  const resources = opening.move();
  return {
    settings: { SIGHTLINE_QDRANT_URL: `http://${proxy.host}:${proxy.port}` },
    faults: {
      ...processFaults(qdrant),
      slow: slowness(proxy),
      ...(disk !== null && { full: fullness(disk.path), 'read-only': readOnliness(disk.path) }),
      emptied: {
        async begin() {
          await qdrant.kill();
          await qdrant.loseDisk();
        },
        end: () => qdrant.start(),
      },
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
