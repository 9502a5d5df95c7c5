import type { PackStore } from '@sightline/core/models/pack-store';
import { readS3Settings } from '@sightline/platform/config/read-s3-settings';
import type { Config } from '@sightline/platform/config/variable-groups';
import type { Logger } from '@sightline/platform/logging/logger';

/**
 * The model store; null if the configuration names no bucket. Sends no request to the bucket yet. Imports the S3
 * adapter only if it is needed.
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
      'no bucket is configured (SIGHTLINE_S3_ENDPOINT), so this process can load only the models of its folder and the starter models',
    );
    return null;
  }
  const { S3PackStore } = await import('@sightline/media/s3/s3-pack-store');
  return new S3PackStore(settings);
}
