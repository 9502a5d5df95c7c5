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

/** A run before its faces are matched. */
export type AnalyzedRun = Omit<ImageRun, 'proposals'>;

export interface AnalyzeImageDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
}

/** The common input of {@link analyzeImage} and `analyzeDrawn`. */
export interface AnalysisInput extends Pick<ImageRun, 'scope' | 'settings' | 'digest' | 'named'> {
  /** The encoded file. Its buffer must not be used afterwards. */
  readonly image: Uint8Array;
  /** The stores that have to be available for the rest of the run. */
  readonly needs: readonly AnsweringStore[];
}

export interface DetectionInput extends AnalysisInput {
  readonly kind: 'compare' | 'replace';
  /** The stored image whose file is analyzed, or the caller's own name for a posted image. */
  readonly of: SourceImage | { readonly externalRef: string | null };
  readonly find: { readonly faces: boolean; readonly objects: boolean };
}

/**
 * Analyzes an image, and encodes the JPEG files to store. For a stored image, it encodes only the crops.
 *
 * @throws the errors of {@link ImageAnalyzer.analyze}; InferenceUnavailable if a face model served the request that is
 *   no longer active; the error of a required store that is not available; StoreUnavailable
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

/**
 * @param source the stored image whose file was analyzed, for scaling boxes to the original; null for a posted image
 */
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
