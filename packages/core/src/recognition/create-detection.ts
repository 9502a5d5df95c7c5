import { type BoundingBox, clampBox } from '../analysis/geometry.ts';
import { embedsFaces } from '../analysis/image-analyzer.ts';
import type { Settle } from '../database/database.ts';
import type { DetectionType } from '../detection-type.ts';
import type { Detection } from '../detections/detection.ts';
import { InvalidBox } from '../detections/detection-errors.ts';
import { normalizeLabel } from '../identities/label.ts';
import type { SourceImage } from '../sources/source-image.ts';
import type { Scope } from '../store/scope.ts';
import type { ImageResult } from './result/image-result.ts';
import { analyzeDrawn } from './run/analyze-drawn.ts';
import { proposeForRun } from './propose-for-run.ts';
import { readFileOf, requireSource } from './read-file.ts';
import type { RunDetectorsDeps } from './run-detectors.ts';
import { readBeforeRunOf } from './state/read-stored-image.ts';
import { storeImage } from './store-image.ts';

export interface CreateDetectionRequest {
  readonly scope: Scope;
  readonly sourceImageId: number;
  readonly type: DetectionType;
  /** The box in pixels of the upright original; the part outside the image is cut off. */
  readonly bbox: BoundingBox;
  /**
   * The label of the identity that the detection is confirmed as; the identity is created if it
   * does not exist.
   */
  readonly label?: string | undefined;
}

/**
 * Stores a detection that a person has drawn into a stored image, even if it overlaps a stored one.
 * A face is embedded if the active model makes embeddings, and enrolled under its label; without a
 * label it is matched, and waits for review at most. An object without a label has no identity.
 *
 * @throws InvalidLabel; NotFound; InvalidBox; ImageCorrupt if the stored file is missing or
 *   damaged; the errors of `ImageAnalyzer.analyze`; VectorsUnavailable if the face has to be
 *   matched and cannot be; StoreUnavailable. Nothing is stored then.
 */
export async function createDetection(
  deps: RunDetectorsDeps,
  request: CreateDetectionRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<Detection> } = {},
): Promise<Detection> {
  const { scope, sourceImageId: id, type, label } = request;
  const { signal, settle } = options;
  const named =
    label === undefined ? null : { type, label: normalizeLabel(label), externalRef: null };
  const isUnnamed = type === 'face' && named === null;
  const matches = isUnnamed && embedsFaces(await deps.analyzer.status(signal));
  const { settings, source, stored } = await readBeforeRunOf(deps.database, { scope, id }, signal);
  const bbox = insideOf(source, request.bbox);
  const image = await readFileOf(deps, { scope, source }, signal);
  const needs = matches ? [deps.media, deps.vectors] : [deps.media];
  const input = { scope, settings, digest: source.digest, named };
  const run = await analyzeDrawn(deps, { ...input, image, source, type, bbox, needs }, signal);
  const proposals = await proposeForRun(deps, { run, stored }, signal);
  return storeImage(
    deps,
    { run: { ...run, proposals }, stored },
    {
      signal,
      check: (plan) => requireSource(plan, id),
      finish: async (tx, _, result) => {
        const detection = onlyDetection(result);
        await settle?.(tx, detection);
        return detection;
      },
    },
  );
}

/** @throws InvalidBox unless a pixel of the box lies inside the image */
function insideOf({ width, height }: SourceImage, bbox: BoundingBox): BoundingBox {
  const inside = clampBox(bbox, { width, height });
  if (inside.w >= 1 && inside.h >= 1) return inside;
  throw new InvalidBox(`The image has ${width} x ${height} pixels, and the box has none of them.`);
}

function onlyDetection({ faces, objects }: ImageResult): Detection {
  return [...faces, ...objects][0]!.detection;
}
