import type {
  AnalysisRequest,
  ImageAnalysis,
  JpegRendition,
  RenditionOptions,
} from '@sightline/core/analysis/image-analyzer';
import { MalformedMessage } from '@sightline/engine/wire/wire-errors';

/**
 * Validates that a well-formed response matches its request. The response must have exactly the requested parts. Each
 * vector must have finite values and the dimension of its model.
 *
 * @throws MalformedMessage
 */
export function validateAnswer(request: AnalysisRequest, analysis: ImageAnalysis): void {
  const { faces, faceRegions } = analysis;
  validateParts(request, analysis);
  faces?.items.forEach(({ embedding }) => validateVector(embedding, faces.model.embeddingDim));
  faceRegions?.items.forEach(({ embedding }) =>
    validateVector(embedding, faceRegions.model.embeddingDim),
  );
  if (request.renditions !== undefined) validateRenditions(request.renditions, analysis);
}

function validateRenditions(
  { source, boxes = [] }: RenditionOptions,
  { faces, objects, source: made, boxCrops }: ImageAnalysis,
): void {
  // The numbers differ if the process has an older release, which returns no crops of boxes.
  if (boxCrops.length !== boxes.length) {
    throw new MalformedMessage(
      'The response does not have exactly one crop per box of the request.',
    );
  }
  const crops = [...(faces?.items ?? []), ...(objects?.items ?? [])].map(({ crop }) => crop);
  [...(source ? [made] : []), ...crops, ...boxCrops].forEach(validateRendition);
}

function validateParts(request: AnalysisRequest, { faces, faceRegions, objects }: ImageAnalysis) {
  const hasExtra =
    (faces !== null && request.faces === undefined) ||
    (objects !== null && request.objects === undefined);
  if (hasExtra) throw new MalformedMessage('The response contains a task that was not requested.');
  // Each face of the response belongs to the region at the same index of the request, so their numbers must be equal.
  if (faceRegions === null || faceRegions.items.length === request.faceRegions?.length) return;
  throw new MalformedMessage(
    'The response does not have exactly one face per region of the request.',
  );
}

function validateVector(vector: Float32Array | null, dimension: number | null): void {
  if (vector === null) return;
  if (vector.length === dimension && vector.every(Number.isFinite)) return;
  throw new MalformedMessage(
    'A vector in the response does not have the length that its model declares, or is not finite.',
  );
}

function validateRendition(rendition: JpegRendition | null): void {
  if (rendition !== null && rendition.jpeg.length > 0) return;
  throw new MalformedMessage('The response lacks a requested image.');
}
