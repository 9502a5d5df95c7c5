import type { DescribePack } from '@sightline/composition/models/declared-fetcher';
import type { Downloads } from '@sightline/composition/models/open-downloads';
import type { ModelFetcher } from '@sightline/core/models/model-source';
import type { PackStore } from '@sightline/core/models/pack-store';
import type { DownloadingDeps } from '@sightline/model-downloads/published/open-stored-models';
import type { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { freeBytesOf } from '@sightline/platform/data-folder/free-bytes';

/**
 * Returns a function that describes stored packs. The code that reads packs is imported when the function is first
 * called.
 */
export function describeStored(packs: PackStore): DescribePack {
  return async (revision, signal) => {
    const { describeStored: describe } =
      await import('@sightline/model-downloads/published/describe-stored');
    return describe(packs, revision, signal);
  };
}

type OpenableDownloads = Downloads & { readonly packs: PackStore };

/**
 * Opens a fetcher that downloads model packs into the store. Its code is imported at the first download, because most
 * processes download nothing. The addresses may be in private networks, because the installation's operator sets them.
 */
export function openModelFetcher(
  { packs: store, cache, reserveBytes, mirror, filesFolder, openObject }: OpenableDownloads,
  http: Pick<GuardedFetch, 'open'>,
): ModelFetcher {
  const sources = { http, reach: 'private', mirror, filesFolder, openObject } as const;
  let opening: Promise<ModelFetcher> | null = null;
  const open = () => (opening ??= load({ store, cache, sources, reserveBytes, freeBytesOf }));
  return {
    fetch: async (model, options) => (await open()).fetch(model, options),
    verify: async (revision, options) => (await open()).verify(revision, options),
  };
}

async function load(deps: DownloadingDeps): Promise<ModelFetcher> {
  const { openStoredModels } =
    await import('@sightline/model-downloads/published/open-stored-models');
  return openStoredModels(deps);
}
