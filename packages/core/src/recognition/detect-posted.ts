import { waitOutOverload } from '../analysis/wait-out-overload.ts';
import type { Settle } from '../database/database.ts';
import type { DetectionTypes } from '../detection-type.ts';
import type { Scope } from '../store/scope.ts';
import { detectImage } from './detect-image.ts';
import { type PostedImage, readPosted, type ReadPostedDeps } from './read-posted.ts';
import type { ImageResult } from './result/image-result.ts';
import type { RunDetectorsDeps } from './run-detectors.ts';

export interface DetectPostedDeps extends RunDetectorsDeps, ReadPostedDeps {}

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
 * Reads an image and calls `detectImage`. It waits and retries while memory is short or inference is overloaded, because
 * the caller posts several images.
 *
 * @throws the errors of `readPosted` and `detectImage`
 */
export async function detectPosted(
  deps: DetectPostedDeps,
  { scope, image: posted, types, replace }: DetectPostedRequest,
  options: { readonly signal: AbortSignal; readonly settle?: Settle<ImageResult> },
): Promise<ImageResult> {
  const { signal } = options;
  using image = await readPosted(deps, { scope, image: posted }, signal);
  const { externalRef } = posted;
  const request = { scope, image: image.bytes, types, replace, externalRef };
  return await waitOutOverload(() => detectImage(deps, request, options), signal);
}
