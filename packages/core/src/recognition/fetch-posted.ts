import type { Database } from '../database/database.ts';
import { loadSettings } from '../database/load-settings.ts';
import type { FetchImage } from '../sources/fetch-image.ts';
import type { TakeMemory } from '../sources/image-memory.ts';
import type { ImageLimits } from '../sources/image-limits.ts';
import type { Scope } from '../store/scope.ts';

const MIB = 1024 * 1024;

export interface FetchPostedDeps {
  readonly database: Database;
  readonly fetchImage: FetchImage;
  readonly imageLimits: ImageLimits;
}

export interface FetchPostedRequest {
  readonly scope: Scope;
  readonly url: string;
  readonly take?: TakeMemory | undefined;
}

/**
 * Fetches the image at a caller's URL, within the limits of the environment's settings.
 *
 * @param request.take takes the memory for the image as its bytes arrive
 * @throws the errors of `fetchImage`; StoreUnavailable
 */
export async function fetchPosted(
  { database, fetchImage, imageLimits }: FetchPostedDeps,
  { scope, url, take }: FetchPostedRequest,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const settings = await loadSettings(database, scope, signal);
  const { urlFetchMaxSizeMb, urlFetchTimeoutSeconds, urlFetchPrivate } = settings;
  const reach = urlFetchPrivate ? 'private' : 'public';
  const maxBytes = Math.min(Math.floor(urlFetchMaxSizeMb * MIB), imageLimits.maxBytes);
  const timeoutMs = urlFetchTimeoutSeconds * 1000;
  const { environmentId } = scope;
  return fetchImage(url, { environmentId, reach, maxBytes, timeoutMs, take, signal });
}
