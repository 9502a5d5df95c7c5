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
  commercialUseReason: 'The pack does not tell its license.',
} as const;

/**
 * Puts packs of this machine into the store of models, for sites without a network; says of each its name and
 * revision.
 *
 * @param folders each is a pack, whose name is that of the folder
 * @throws StartError for a folder that is no pack; StoreUnavailable; the signal's reason on abort
 */
export async function pushPacks(
  folders: readonly string[],
  { config, signal }: { readonly config: Config<'media'>; readonly signal: AbortSignal },
): Promise<void> {
  if (folders.length === 0) throw new StartError('Name the folders of the packs to push.');
  const settings = readS3Settings(config);
  if (settings === null) throw new StartError('Set SIGHTLINE_S3_ENDPOINT to the store of models.');
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
