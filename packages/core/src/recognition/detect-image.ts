import type { Settle } from '../database/database.ts';
import type { DetectionTypes } from '../detection-type.ts';
import { normalizeLabel } from '../identities/label.ts';
import { digestOf } from '../media/digest-of.ts';
import type { Scope } from '../store/scope.ts';
import type { ImageResult } from './result/image-result.ts';
import { findEngines } from './run/find-engines.ts';
import { runDetectors, type RunDetectorsDeps } from './run-detectors.ts';
import { readBeforeRun } from './state/read-stored-image.ts';

export interface DetectRequest {
  readonly scope: Scope;
  /** The encoded file; the analyzer takes its buffer. */
  readonly image: Uint8Array;
  readonly types: DetectionTypes;
  /** The caller's name of the source image; absent: keep the stored one. */
  readonly externalRef?: string;
  /**
   * Whether to remove the stored detections of these types, instead of comparing them with the
   * findings.
   */
  readonly replace: boolean;
  /** The label of the identity that the most certain face gets. */
  readonly label?: string;
}

/**
 * Finds faces and objects in an image and stores them; faces get the identities that they match. If
 * the image is already stored, a finding that overlaps a stored detection is that detection.
 *
 * @throws InvalidLabel; NoActiveModel if no model is active for the requested types; the errors of
 *   `ImageAnalyzer.analyze`; VectorsUnavailable if faces have to be matched and cannot be, even if
 *   the image shows none; StoreUnavailable. Nothing is stored then.
 */
export async function detectImage(
  deps: RunDetectorsDeps,
  request: DetectRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<ImageResult> } = {},
): Promise<ImageResult> {
  const { scope, image, types, label, replace, externalRef = null } = request;
  const { signal } = options;
  const named =
    label === undefined
      ? null
      : { type: 'face' as const, label: normalizeLabel(label), externalRef: null };
  const engines = await findEngines(deps, { types, namesFace: named !== null }, signal);
  const digest = digestOf(image);
  const { settings, stored } = await readBeforeRun(deps.database, { scope, digest }, signal);
  const input = { scope, settings, digest, image, of: { externalRef }, named };
  return runDetectors(deps, { ...input, types, replace, engines, stored }, options);
}
