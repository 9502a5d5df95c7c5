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
  /** Id of the source image. */
  readonly id: number;
  readonly types: DetectionTypes;
  /**
   * Whether to remove the stored detections of these types, instead of comparing them with the
   * findings.
   */
  readonly replace: boolean;
}

/**
 * Runs the active models on a stored image, as `detectImage` does on a posted one. It works on the
 * original bytes if they were kept, else on the stored JPEG.
 *
 * @throws NotFound; ImageCorrupt if the stored file is missing or damaged; the errors of
 *   `detectImage`. Nothing has changed then.
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
