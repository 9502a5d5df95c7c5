import { fetchPosted, type FetchPostedDeps } from '@sightline/core/recognition/fetch-posted';
import type { Scope } from '@sightline/core/store/scope';
import type { ImageReading } from './read-image-source.ts';

/** Reads the images of one request. The current settings of the environment limit what is fetched from URLs. */
export function imageReading(deps: FetchPostedDeps, scope: Scope): ImageReading {
  return {
    imageLimits: deps.imageLimits,
    fetchImage: (url, signal) => fetchPosted(deps, { scope, url }, signal),
  };
}
