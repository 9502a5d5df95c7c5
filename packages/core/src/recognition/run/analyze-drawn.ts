import { renditionOptions } from '../../analysis/analysis-options.ts';
import { analyzeWhileAnswering } from '../../analysis/analyze-while-answering.ts';
import { turnOf } from '../../analysis/face-landmarks.ts';
import type { BoundingBox } from '../../analysis/geometry.ts';
import { scaleBox, scaleRegion } from '../../analysis/scale-region.ts';
import type { DetectionType } from '../../detection-type.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import { scaleToFile, scaleToOriginal } from '../../analysis/stored-file.ts';
import type { AnalysisInput, AnalyzedRun, AnalyzeImageDeps } from './analyze-image.ts';

export interface DrawnInput extends AnalysisInput {
  readonly source: SourceImage;
  readonly type: DetectionType;
  /** A box inside the image, in pixels of the upright original. */
  readonly bbox: BoundingBox;
}

/** The confidence of a drawn box. */
const CERTAIN = 1;

/**
 * Encodes the crop of a drawn box. A face is also embedded if the active model computes embeddings.
 *
 * @throws the errors of `analyzeImage`
 */
export async function analyzeDrawn(
  deps: AnalyzeImageDeps,
  { image, source, type, bbox, needs, ...request }: DrawnInput,
  signal?: AbortSignal,
): Promise<AnalyzedRun> {
  const box = scaleBox(bbox, scaleToFile(source));
  const { crops } = renditionOptions(request.settings);
  const { faceRegions, boxCrops } = await analyzeWhileAnswering(
    { analyzer: deps.analyzer, stores: needs },
    {
      image,
      ...(type === 'face' && { faceRegions: [{ bbox: box, landmarks: null }] }),
      renditions: { crops, boxes: [box] },
    },
    signal,
  );
  const faces = faceRegions && (await deps.models.ofVectors(faceRegions.model));
  const { landmarks = null, embedding = null } = faceRegions?.items[0] ?? {};
  const found = { bbox, confidence: CERTAIN, crop: boxCrops[0]!.jpeg };
  const face = {
    ...found,
    landmarks: scaleRegion({ bbox, landmarks }, scaleToOriginal(source)).landmarks,
    embedding,
    quality: CERTAIN,
    age: null,
    gender: null,
    pose: null,
    turned: landmarks === null ? (0 as const) : turnOf(landmarks),
  };
  return {
    ...request,
    kind: 'draw',
    posted: null,
    faces: type === 'face' ? [face] : null,
    objects: type === 'object' ? [{ ...found, classId: null, className: null }] : null,
    models: { faces, objects: null },
  };
}
