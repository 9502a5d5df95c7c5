import { renditionOptions } from '../../analysis/analysis-options.ts';
import { analyzeWhileAnswering } from '../../analysis/analyze-while-answering.ts';
import type { BoundingBox } from '../../analysis/geometry.ts';
import type { ImageAnalysis, JpegRendition } from '../../analysis/image-analyzer.ts';
import { scaleBox, scaleRegion } from '../../analysis/scale-region.ts';
import type { DetectionType } from '../../detection-type.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import { scaleToFile, scaleToOriginal } from '../../analysis/stored-file.ts';
import type { AnalyzedRun, AnalyzeImageDeps, RunRequest } from './analyze-image.ts';
import type { Findings, FoundObject } from './image-run.ts';

/** A box that a person drew into a stored image. */
export type DrawnRequest = Omit<RunRequest, 'source' | 'find' | 'replace' | 'externalRef'> & {
  readonly source: SourceImage;
  readonly type: DetectionType;
  /** Inside the image, in pixels of the upright original. */
  readonly bbox: BoundingBox;
};

/** A person is certain. */
const CERTAIN = 1;

/**
 * Cuts the crop of a box that a person drew and, if it is a face, embeds it. Without a face model that
 * makes embeddings it has none.
 *
 * @throws the errors of `analyzeImage`
 */
export async function analyzeDrawn(
  deps: AnalyzeImageDeps,
  { image, source, type, bbox, needs, ...wanted }: DrawnRequest,
  signal?: AbortSignal,
): Promise<AnalyzedRun> {
  const box = scaleBox(bbox, scaleToFile(source));
  const { crops } = renditionOptions(wanted.settings);
  const analysis = await analyzeWhileAnswering(
    { analyzer: deps.analyzer, stores: needs },
    {
      image,
      ...(type === 'face' && { faceRegions: [{ bbox: box, landmarks: null }] }),
      renditions: { crops, boxes: [box] },
    },
    signal,
  );
  const { faceRegions } = analysis;
  const faces = faceRegions && (await deps.models.ofVectors(faceRegions.model));
  return {
    ...wanted,
    posted: null,
    drawn: type,
    archived: false,
    replace: false,
    externalRef: null,
    analysis: findingsOf(analysis, { source, type, bbox }),
    models: { faces, objects: null },
  };
}

function findingsOf(
  { image, faceRegions, boxCrops }: ImageAnalysis,
  { source, type, bbox }: Pick<DrawnRequest, 'source' | 'type' | 'bbox'>,
): Findings {
  const { width, height } = source;
  const crop = boxCrops[0]!;
  const region = faceRegions?.items[0] ?? null;
  const landmarks = region?.landmarks ?? null;
  const inOriginal = scaleRegion({ bbox, landmarks }, scaleToOriginal(source));
  const face = {
    bbox,
    landmarks: inOriginal.landmarks,
    embedding: region?.embedding ?? null,
    confidence: CERTAIN,
    quality: CERTAIN,
    age: null,
    gender: null,
    pose: null,
    crop,
  };
  return {
    image: { ...image, width, height },
    source: null,
    faces: type === 'face' ? { items: [face] } : null,
    objects: type === 'object' ? { items: [drawnObject(bbox, crop)] } : null,
  };
}

function drawnObject(bbox: BoundingBox, crop: JpegRendition): FoundObject {
  return { bbox, confidence: CERTAIN, classId: null, className: null, crop };
}
