import { faceOptions, objectOptions, renditionOptions } from '../../analysis/analysis-options.ts';
import { analyzeWhileAnswering } from '../../analysis/analyze-while-answering.ts';
import type { ImageAnalysis, ImageAnalyzer } from '../../analysis/image-analyzer.ts';
import { scaleBox, scaleRegion } from '../../analysis/scale-region.ts';
import type { ModelRegistry } from '../../models/model-registry.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import { scaleToOriginal } from '../../analysis/stored-file.ts';
import type { AnsweringStore } from '../../store/answering-store.ts';
import type { Findings, ImageRun } from './image-run.ts';

/** A run before its faces have been compared. */
export type AnalyzedRun = Omit<ImageRun, 'proposals'>;

export interface AnalyzeImageDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
}

/** What a use case wants to be done with an image. */
export type RunRequest = Omit<
  AnalyzedRun,
  'posted' | 'drawn' | 'archived' | 'analysis' | 'models'
> & {
  /** The encoded file; the analyzer takes it. */
  readonly image: Uint8Array;
  /** The stored image that the file is of; null: the file was posted. */
  readonly source: SourceImage | null;
  readonly find: { readonly faces: boolean; readonly objects: boolean };
  /** Stores without which the findings are of no use. */
  readonly needs: readonly AnsweringStore[];
};

/**
 * Analyzes an image, with the JPEG files that are stored of it: of a stored image only the crops.
 *
 * @throws the errors of {@link ImageAnalyzer.analyze}; InferenceUnavailable if another face model
 *   answered than the active one; the error of a needed store that does not answer; StoreUnavailable
 */
export async function analyzeImage(
  deps: AnalyzeImageDeps,
  { image, source, find, needs, ...wanted }: RunRequest,
  signal?: AbortSignal,
): Promise<AnalyzedRun> {
  const { settings } = wanted;
  const sizeBytes = image.byteLength;
  const original = settings.keepOriginals && source === null ? image.slice() : null;
  const { crops, ...whole } = renditionOptions(settings);
  const analysis = await analyzeWhileAnswering(
    { analyzer: deps.analyzer, stores: needs },
    {
      image,
      ...(find.faces && { faces: faceOptions(settings) }),
      ...(find.objects && { objects: objectOptions(settings) }),
      renditions: source === null ? { crops, ...whole } : { crops },
    },
    signal,
  );
  const { faces, objects } = analysis;
  const models = {
    faces: faces && (await deps.models.ofVectors(faces.model)),
    objects: objects && (await deps.models.of(objects.model)),
  };
  return {
    ...wanted,
    posted: source === null ? { sizeBytes, original } : null,
    drawn: null,
    archived: false,
    analysis: source === null ? analysis : inOriginal(analysis, source),
    models,
  };
}

/** The findings in the file of a stored image, in pixels of the original. */
function inOriginal({ image, faces, objects }: ImageAnalysis, source: SourceImage): Findings {
  const scale = scaleToOriginal(source);
  const { width, height } = source;
  return {
    image: { ...image, width, height },
    faces: faces && {
      items: faces.items.map((face) => ({ ...face, ...scaleRegion(face, scale) })),
    },
    objects: objects && {
      items: objects.items.map((object) => ({ ...object, bbox: scaleBox(object.bbox, scale) })),
    },
    source: null,
  };
}
