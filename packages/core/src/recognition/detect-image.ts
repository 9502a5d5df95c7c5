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
  /** The encoded file. Its buffer must not be used afterwards. */
  readonly image: Uint8Array;
  readonly types: DetectionTypes;
  /** The caller's own name for the source image. If absent, a stored name is kept. */
  readonly externalRef?: string;
  /**
   * Whether stored detections of the requested types are removed first, rather than compared with the new detections.
   */
  readonly replace: boolean;
  /** The label of the identity to which the face with the highest confidence is assigned. */
  readonly label?: string;
}

/**
 * Finds faces and objects in an image, stores them, and assigns faces to matching identities. If the image is already
 * stored, a new detection that overlaps a stored one updates the stored detection.
 *
 * @throws InvalidLabel; NoActiveModel if no model is active for the requested types; the errors of
 *   `ImageAnalyzer.analyze`; VectorsUnavailable if faces cannot be matched, even if the image shows no face;
 *   StoreUnavailable
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
