import { faceOptions, objectOptions, renditionOptions } from '../../analysis/analysis-options.ts';
import { analyzeWhileAnswering } from '../../analysis/analyze-while-answering.ts';
import type {
  AnalyzedFace,
  AnalyzedObject,
  ImageAnalysis,
  ImageAnalyzer,
} from '../../analysis/image-analyzer.ts';
import { scaleBox, scaleRegion } from '../../analysis/scale-region.ts';
import type { ModelRegistry } from '../../models/model-registry.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import { scaleToOriginal } from '../../analysis/stored-file.ts';
import type { AnsweringStore } from '../../store/answering-store.ts';
import type { FoundFace, FoundObject, ImageRun } from './image-run.ts';

/** A run before its faces have been compared. */
export type AnalyzedRun = Omit<ImageRun, 'proposals'>;

export interface AnalyzeImageDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
}

/** The input of each analysis. */
export interface AnalysisInput extends Pick<ImageRun, 'scope' | 'settings' | 'digest' | 'named'> {
  /** The encoded file; the analyzer takes its buffer. */
  readonly image: Uint8Array;
  /** The stores that must respond for the findings to be stored. */
  readonly needs: readonly AnsweringStore[];
}

/** An image for the detectors. */
export interface DetectionInput extends AnalysisInput {
  readonly kind: 'compare' | 'replace';
  /** The stored image that the file belongs to, or the caller's name of a posted one. */
  readonly of: SourceImage | { readonly externalRef: string | null };
  readonly find: { readonly faces: boolean; readonly objects: boolean };
}

/**
 * Analyzes an image, and makes the JPEG files that are stored of it; for a stored image only the
 * crops.
 *
 * @throws the errors of {@link ImageAnalyzer.analyze}; InferenceUnavailable if another face model
 *   answered than the active one; the error of a needed store that does not answer;
 *   StoreUnavailable
 */
export async function analyzeImage(
  deps: AnalyzeImageDeps,
  { image, of, find, needs, ...request }: DetectionInput,
  signal?: AbortSignal,
): Promise<AnalyzedRun> {
  const { settings } = request;
  const { externalRef } = of;
  const source = 'id' in of ? of : null;
  const sizeBytes = image.byteLength;
  const original = settings.keepOriginals && source === null ? image.slice() : null;
  const renditions = renditionOptions(settings);
  const analysis = await analyzeWhileAnswering(
    { analyzer: deps.analyzer, stores: needs },
    {
      image,
      ...(find.faces && { faces: faceOptions(settings) }),
      ...(find.objects && { objects: objectOptions(settings) }),
      renditions: source === null ? renditions : { crops: renditions.crops },
    },
    signal,
  );
  const found = await findingsOf(deps.models, analysis, source);
  if (source !== null) return { ...request, ...found, posted: null };
  const posted = { sizeBytes, original, externalRef, image: analysis.image };
  return { ...request, ...found, posted: { ...posted, rendition: analysis.source! } };
}

/** @param source the stored image whose file was analyzed; null: the findings are in pixels of the original */
async function findingsOf(
  models: ModelRegistry,
  { faces, objects }: ImageAnalysis,
  source: SourceImage | null,
): Promise<Pick<AnalyzedRun, 'faces' | 'objects' | 'models'>> {
  const scale = source === null ? { x: 1, y: 1 } : scaleToOriginal(source);
  const toFace = (face: AnalyzedFace): FoundFace => {
    return { ...face, ...scaleRegion(face, scale), crop: face.crop!.jpeg };
  };
  const toObject = ({ bbox, crop, ...object }: AnalyzedObject): FoundObject => {
    return { ...object, bbox: scaleBox(bbox, scale), crop: crop!.jpeg };
  };
  return {
    faces: faces?.items.map(toFace) ?? null,
    objects: objects?.items.map(toObject) ?? null,
    models: {
      faces: faces && (await models.ofVectors(faces.model)),
      objects: objects && (await models.of(objects.model)),
    },
  };
}
