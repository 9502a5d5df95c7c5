import { basename, resolve } from 'node:path';
import { S3PackStore } from '@sightline/media/s3/s3-pack-store';
import { checkPack } from '@sightline/model-downloads/published/check-pack';
import { storePack } from '@sightline/model-downloads/published/store-pack';
import { SourceFailed } from '@sightline/model-downloads/source-failed';
import { readS3Settings } from '@sightline/platform/config/read-s3-settings';
import type { Config } from '@sightline/platform/config/variable-groups';
import { StartError } from '@sightline/platform/lifecycle/start-error';

const UNKNOWN = {
  version: null,
  license: 'unknown',
  commercialUse: 'unknown',
  commercialUseReason: 'The pack does not state its license.',
} as const;

/**
 * Copies local packs into the model store, for sites without internet access. Prints the name and revision of each
 * pack.
 *
 * @param folders the folders of the packs; a pack has the name of its folder
 * @throws StartError if a folder is not a pack; StoreUnavailable; the signal's reason on abort
 */
export async function pushPacks(
  folders: readonly string[],
  { config, signal }: { readonly config: Config<'media'>; readonly signal: AbortSignal },
): Promise<void> {
  if (folders.length === 0) throw new StartError('Name the folders of the packs to push.');
  const settings = readS3Settings(config);
  if (settings === null)
    throw new StartError('Set SIGHTLINE_S3_ENDPOINT to the URL of the model store.');
  using store = new S3PackStore(settings);
  for (const folder of folders) {
    const directory = resolve(folder);
    const checked = await checkPack(directory, UNKNOWN).catch((error: unknown) => {
      if (!(error instanceof SourceFailed)) throw error;
      throw new StartError(`${basename(directory)} ${error.message}`);
    });
    await storePack(checked, { directory, store }, signal);
    process.stdout.write(`${checked.model.name} ${checked.model.revision}\n`);
  }
}
