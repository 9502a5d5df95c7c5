import { setTimeout as delay } from 'node:timers/promises';
import { ModelFetchFailed } from '@sightline/core/models/model-source';
import type { PackStore } from '@sightline/core/models/pack-store';
import { CacheFolder } from '../cache-folder.ts';
import { checkPack } from './check-pack.ts';
import { DOWNLOAD_LIMITS } from './download-file.ts';
import type { SourceDeps } from './source-of.ts';
import { StoredModels } from './stored-models.ts';

export interface DownloadingDeps {
  readonly store: PackStore;
  /** The folder for files that are being received. */
  readonly cache: string;
  readonly sources: SourceDeps;
  /** The bytes that must stay free on the disk of the cache. */
  readonly reserveBytes: number;
  readonly freeBytesOf: (folder: string) => Promise<number>;
  /** The largest size of one file, in bytes; by default the most that onnxruntime can read. */
  readonly maxBytes?: number | undefined;
}

export function openStoredModels({
  store,
  cache,
  sources,
  reserveBytes,
  freeBytesOf,
  maxBytes = DOWNLOAD_LIMITS.maxBytes,
}: DownloadingDeps): StoredModels {
  return new StoredModels({
    store,
    cache: new CacheFolder(cache),
    sources,
    limits: { ...DOWNLOAD_LIMITS, maxBytes: Math.min(maxBytes, DOWNLOAD_LIMITS.maxBytes) },
    requireRoom: async (bytes) => {
      if ((await freeBytesOf(cache)) < bytes + reserveBytes) throw noRoom(bytes, reserveBytes);
    },
    pause: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
    checkPack,
  });
}

function noRoom(bytes: number, reserveBytes: number): ModelFetchFailed {
  return new ModelFetchFailed(
    `The disk has no space for ${bytes} more bytes of the model: ${reserveBytes} bytes must stay free.`,
    { reason: 'no_space' },
  );
}
