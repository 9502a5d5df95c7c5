import { MinioProcess } from '../support/servers/minio-process.ts';
import { openSlowProxy } from '../support/servers/slow-proxy.ts';
import { mountSmall } from '../support/fixtures/small-file-system.ts';
import { type BreakableService, processFaults, slowness } from './breakable-service.ts';
import { fullness } from './full-disk.ts';

/** The size of the disk, enough for a MinIO with some photos. */
const DISK_MEGABYTES = 64;

/** A MinIO behind a proxy that can be slow, on a disk that can be full if this account may mount one. */
export async function openBreakableMinio(): Promise<BreakableService> {
  await using opening = new AsyncDisposableStack();
  const disk = mountSmall(DISK_MEGABYTES);
  if (disk !== null) opening.use(disk);
  const minio = opening.use(await MinioProcess.start(disk?.path));
  const { hostname: host, port } = minio.endpoint;
  const proxy = opening.use(await openSlowProxy({ host, port: Number(port) }));
  const resources = opening.move();
  return {
    settings: {
      SIGHTLINE_S3_ENDPOINT: `http://${proxy.host}:${proxy.port}`,
      SIGHTLINE_S3_ACCESS_KEY: minio.accessKey,
      SIGHTLINE_S3_SECRET_KEY: minio.secretKey,
    },
    faults: {
      ...processFaults(minio),
      slow: slowness(proxy),
      ...(disk !== null && { full: fullness(disk.path) }),
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
