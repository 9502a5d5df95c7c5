import { waitOutOverload } from '../analysis/wait-out-overload.ts';
import type { Settle } from '../database/database.ts';
import type { DetectionTypes } from '../detection-type.ts';
import type { Scope } from '../store/scope.ts';
import { detectImage } from './detect-image.ts';
import { fetchPosted, type FetchPostedDeps } from './fetch-posted.ts';
import type { ImageResult } from './result/image-result.ts';
import type { RunDetectorsDeps } from './run-detectors.ts';

export interface PostedImage {
  /** The caller's own name for the image. If absent, a stored name is kept. */
  readonly externalRef?: string | undefined;
  /**
   * The image's URL, or a function that reads the image into an unshared buffer. The function throws a DomainError if
   * the image cannot be read.
   */
  readonly source: string | ((signal: AbortSignal) => Uint8Array | Promise<Uint8Array>);
}

export interface DetectPostedDeps extends RunDetectorsDeps, FetchPostedDeps {}

export interface DetectPostedRequest {
  readonly scope: Scope;
  readonly image: PostedImage;
  readonly types: DetectionTypes;
  /**
   * Whether stored detections of the requested types are removed first, rather than compared with the new detections.
   */
  readonly replace: boolean;
}

/**
 * Reads an image and calls `detectImage`. It waits and retries while inference is overloaded, because the caller posts
 * several images.
 *
 * @throws the errors of `source`, `fetchPosted` and `detectImage`
 */
export async function detectPosted(
  deps: DetectPostedDeps,
  { scope, image: { externalRef, source }, types, replace }: DetectPostedRequest,
  options: { readonly signal: AbortSignal; readonly settle?: Settle<ImageResult> },
): Promise<ImageResult> {
  const { signal } = options;
  const image =
    typeof source === 'string'
      ? await fetchPosted(deps, { scope, url: source }, signal)
      : await source(signal);
  const request = { scope, image, types, replace, externalRef };
  return waitOutOverload(() => detectImage(deps, request, options), signal);
}
