import { fetchPosted } from '@sightline/core/recognition/fetch-posted';
import type { ReadPostedDeps } from '@sightline/core/recognition/read-posted';
import type { Scope } from '@sightline/core/store/scope';
import type { ImageReading } from './read-image-source.ts';

/**
 * Reads the images of one request. The current settings of the environment limit what is fetched from URLs, and its memory
 * counts against the share of the caller.
 */
export function imageReading(deps: ReadPostedDeps, scope: Scope): ImageReading {
  return {
    imageLimits: deps.imageLimits,
    fetchImage: (url, signal) =>
      fetchPosted(deps, { scope, url, take: deps.imageMemory?.take }, signal),
  };
}
