import type { Settle } from '../database/database.ts';
import type { DetectionTypes } from '../detection-type.ts';
import type { Scope } from '../store/scope.ts';
import type { ImageResult } from './result/image-result.ts';
import { readFileOf, requireSource } from './read-file.ts';
import { findEngines } from './run/find-engines.ts';
import { runDetectors, type RunDetectorsDeps } from './run-detectors.ts';
import { readBeforeRunOf } from './state/read-stored-image.ts';

export interface ReprocessRequest {
  readonly scope: Scope;
  readonly id: number;
  readonly types: DetectionTypes;
  /**
   * Whether stored detections of the requested types are removed first, rather than compared with the new detections.
   */
  readonly replace: boolean;
}

/**
 * Like `detectImage`, for a stored image. It reads the original file if that was kept, else the stored JPEG.
 *
 * @throws NotFound; ImageCorrupt if the stored file is missing or damaged; the errors of `detectImage`
 */
export async function reprocessImage(
  deps: RunDetectorsDeps,
  { scope, id, types, replace }: ReprocessRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<ImageResult> } = {},
): Promise<ImageResult> {
  const { signal } = options;
  const engines = await findEngines(deps, { types, namesFace: false }, signal);
  const { settings, source, stored } = await readBeforeRunOf(deps.database, { scope, id }, signal);
  const image = await readFileOf(deps, { scope, source }, signal);
  const input = { scope, settings, digest: source.digest, image, of: source, named: null };
  return runDetectors(
    deps,
    { ...input, types, replace, engines, stored },
    { ...options, check: (plan) => requireSource(plan, id) },
  );
}
