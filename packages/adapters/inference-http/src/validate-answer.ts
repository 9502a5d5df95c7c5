import type {
  AnalysisRequest,
  ImageAnalysis,
  JpegRendition,
} from '@sightline/core/analysis/image-analyzer';
import { MalformedMessage } from '@sightline/engine/wire/wire-errors';

/**
 * Makes sure that a well-formed answer is one to this request: that it holds what callers take for
 * granted, and no vector that is none of its model.
 *
 * @throws MalformedMessage
 */
export function requireAnswerTo(request: AnalysisRequest, analysis: ImageAnalysis): void {
  const { faces, faceRegions, objects } = analysis;
  requireAsked(request, analysis);
  faces?.items.forEach(({ embedding }) => requireVector(embedding, faces.model.embeddingDim));
  faceRegions?.items.forEach(({ embedding }) =>
    requireVector(embedding, faceRegions.model.embeddingDim),
  );
  if (request.renditions === undefined) return;
  const crops = [...(faces?.items ?? []), ...(objects?.items ?? [])].map(({ crop }) => crop);
  [analysis.source, ...crops].forEach(requireRendition);
}

function requireAsked(request: AnalysisRequest, { faces, faceRegions, objects }: ImageAnalysis) {
  const isMore =
    (faces !== null && request.faces === undefined) ||
    (objects !== null && request.objects === undefined);
  if (isMore) throw new MalformedMessage('The answer holds what was not asked for.');
  // By their place in the list it is known whose they are.
  if (faceRegions === null || faceRegions.items.length === request.faceRegions?.length) return;
  throw new MalformedMessage('The answer holds another number of faces than was asked for.');
}

function requireVector(vector: Float32Array | null, dimension: number | null): void {
  if (vector === null) return;
  if (vector.length === dimension && vector.every(Number.isFinite)) return;
  throw new MalformedMessage('The answer holds a vector that is none of its model.');
}

function requireRendition(rendition: JpegRendition | null): void {
  if (rendition !== null && rendition.jpeg.length > 0) return;
  throw new MalformedMessage('The answer lacks an image that was asked for.');
}
