import { waitOutOverload } from '../analysis/wait-out-overload.ts';
import type { Settle } from '../database/database.ts';
import type { DetectionTypes } from '../detection-type.ts';
import type { Scope } from '../store/scope.ts';
import { detectImage } from './detect-image.ts';
import { fetchPosted, type FetchPostedDeps } from './fetch-posted.ts';
import type { ImageResult } from './result/image-result.ts';
import type { RunDetectorsDeps } from './run-detectors.ts';

export interface PostedImage {
  /** Absent: an image that is already stored keeps its own. */
  readonly externalRef?: string | undefined;
  /**
   * The image's URL, or a function that reads the image into a buffer of its own and throws a
   * DomainError if it cannot.
   */
  readonly source: string | ((signal: AbortSignal) => Uint8Array | Promise<Uint8Array>);
}

export interface DetectPostedDeps extends RunDetectorsDeps, FetchPostedDeps {}

export interface DetectPostedRequest {
  readonly scope: Scope;
  readonly image: PostedImage;
  readonly types: DetectionTypes;
  /**
   * Whether to remove the stored detections of these types, instead of comparing them with the
   * findings.
   */
  readonly replace: boolean;
}

/**
 * Reads one image of several and does with it what `detectImage` does. If other requests overload
 * inference, it waits and retries.
 *
 * @throws what the source throws, the errors of `fetchPosted` and `detectImage`
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
