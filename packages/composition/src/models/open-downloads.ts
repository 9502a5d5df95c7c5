import type { CatalogEntry } from '@sightline/core/models/catalog-entry';
import type { PackStore } from '@sightline/core/models/pack-store';
import type { S3Buckets } from '@sightline/media/s3/s3-buckets';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import type { Config } from '@sightline/platform/config/variable-groups';
import type { Logger } from '@sightline/platform/logging/logger';
import { type Proxies, readProxies } from '@sightline/platform/outgoing/proxies';
import { openPackStore, type PackStoreDeps } from './open-pack-store.ts';
import { readCatalog } from './read-catalog.ts';

export interface Downloads {
  readonly catalog: readonly CatalogEntry[];
  /** The store of model packs; null if the processes that run models have no store in common. */
  readonly packs: PackStore | null;
  /** The folder for partial downloads. After a crash, the next attempt continues them. */
  readonly cache: string;
  /** The number of bytes to keep free on the disks of the cache and of the store. */
  readonly reserveBytes: number;
  /** The URL of the server that replaces the publishers' servers; null if no mirror is configured. */
  readonly mirror: string | null;
  /** The proxies through which servers are reached; null if there are none. */
  readonly proxies: Proxies | null;
  /** The folder from which files may be read; null if no folder is configured. */
  readonly filesFolder: string | null;
  /** Opens objects of the installation's S3 server; null if the installation has no S3 server. */
  readonly openObject: S3Buckets['open'] | null;
}

export interface DownloadsDeps extends PackStoreDeps {
  readonly config: Config<'downloads'>;
  readonly cache: string;
  readonly logger: Logger;
}

/**
 * Reads the catalog and opens the store of model packs.
 *
 * @throws StartError if the catalog file or the folder of the store cannot be used
 */
export async function openDownloads({
  config,
  cache,
  logger,
  ...deps
}: DownloadsDeps): Promise<Downloads & Disposable> {
  using opening = new DisposableStack();
  const catalog = await readCatalog(config.modelCatalog);
  const packs = await openPackStore(deps);
  if (packs === null) logger.warn(NO_STORE);
  else opening.defer(() => packs[Symbol.dispose]?.());
  const openObject = deps.s3 && opening.use(await openBuckets(deps.s3));
  const resources = opening.move();
  return {
    catalog,
    packs,
    cache,
    reserveBytes: deps.reserveBytes,
    mirror: config.modelMirror,
    proxies: readProxies(readEnvironment()),
    filesFolder: config.modelFiles,
    openObject: openObject && ((range, signal) => openObject.open(range, signal)),
    [Symbol.dispose]: () => resources.dispose(),
  };
}

const NO_STORE =
  'models cannot be downloaded: inference processes run elsewhere, and there is no S3 bucket from which they could get them';

async function openBuckets(settings: NonNullable<PackStoreDeps['s3']>): Promise<S3Buckets> {
  const { S3Buckets: Buckets } = await import('@sightline/media/s3/s3-buckets');
  return new Buckets(settings);
}
