import type { PackStore } from '@sightline/core/models/pack-store';
import { readS3Settings } from '@sightline/platform/config/read-s3-settings';
import type { Config } from '@sightline/platform/config/variable-groups';
import type { Logger } from '@sightline/platform/logging/logger';

/**
 * The store from which this process fetches downloaded packs; null if the configuration names no bucket. The
 * bucket is not asked yet. Loads the S3 adapter if need be.
 *
 * @throws StartError if the settings of the bucket are incomplete
 */
export async function openStoreOfPacks(
  config: Config<'media'>,
  logger: Logger,
): Promise<(PackStore & Disposable) | null> {
  const settings = readS3Settings(config);
  if (settings === null) {
    logger.info(
      'without the bucket of the installation (SIGHTLINE_S3_ENDPOINT) this process can have the models of its folder and the starter models, and none that is downloaded',
    );
    return null;
  }
  const { S3PackStore } = await import('@sightline/media/s3/s3-pack-store');
  return new S3PackStore(settings);
}
