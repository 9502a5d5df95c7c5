import { loadSettings } from '@sightline/core/database/load-settings';
import type { Scope } from '@sightline/core/store/scope';
import type { ApiContext } from '../api-context.ts';
import type { ImageReading } from './read-image-source.ts';

const MIB = 1024 * 1024;

/** How the images of one request are read; URLs within the limits of the current settings. */
export function imageReading(
  {
    database,
    fetchImage,
    imageLimits,
  }: Pick<ApiContext, 'database' | 'fetchImage' | 'imageLimits'>,
  scope: Scope,
): ImageReading {
  return {
    imageLimits,
    async fetchImage(url, signal) {
      const settings = await loadSettings(database, scope, signal);
      const { urlFetchMaxSizeMb, urlFetchTimeoutSeconds, urlFetchPrivate } = settings;
      const reach = urlFetchPrivate ? 'private' : 'public';
      const maxBytes = Math.min(Math.floor(urlFetchMaxSizeMb * MIB), imageLimits.maxBytes);
      return fetchImage(url, { reach, maxBytes, timeoutMs: urlFetchTimeoutSeconds * 1000, signal });
    },
  };
}
