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
  /** The box in pixels of the upright original. It is clipped to the image. */
  readonly bbox: BoundingBox;
  /** The label of the identity of the detection. An identity with a new label is created. */
  readonly label?: string | undefined;
}

/**
 * Stores a detection that a person has drawn into a stored image, even if it overlaps a stored detection. If the active
 * model computes embeddings, the face is embedded. A face with a label is enrolled under it; a face without a label is
 * matched, and is never confirmed automatically. An object without a label has no identity.
 *
 * @throws InvalidLabel; NotFound; InvalidBox; ImageCorrupt if the stored file is missing or damaged; the errors of
 *   `ImageAnalyzer.analyze`; VectorsUnavailable if the face cannot be matched; StoreUnavailable
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
        await tx.audit({ entity: 'detection', action: 'create', ids: [detection.id] });
        await settle?.(tx, detection);
        return detection;
      },
    },
  );
}

/** @throws InvalidBox if the image contains no pixel of the box */
function insideOf({ width, height }: SourceImage, bbox: BoundingBox): BoundingBox {
  const inside = clampBox(bbox, { width, height });
  if (inside.w >= 1 && inside.h >= 1) return inside;
  throw new InvalidBox(`The box lies outside the image, which has ${width} x ${height} pixels.`);
}

function onlyDetection({ faces, objects }: ImageResult): Detection {
  return [...faces, ...objects][0]!.detection;
}
