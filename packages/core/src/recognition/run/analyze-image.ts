import { faceOptions, objectOptions, renditionOptions } from '../../analysis/analysis-options.ts';
import { analyzeWhileAnswering } from '../../analysis/analyze-while-answering.ts';
import type { ImageAnalyzer } from '../../analysis/image-analyzer.ts';
import type { ModelRegistry } from '../../models/model-registry.ts';
import type { AnsweringStore } from '../../store/answering-store.ts';
import type { ImageRun } from './image-run.ts';

/** A run before its faces have been compared. */
export type AnalyzedRun = Omit<ImageRun, 'proposals'>;

/** What a use case wants to be done with an image. */
export type RunRequest = Omit<AnalyzedRun, 'sizeBytes' | 'original' | 'analysis' | 'models'> & {
  /** The encoded file; the analyzer takes it. */
  readonly image: Uint8Array;
  readonly find: { readonly faces: boolean; readonly objects: boolean };
  /** Stores without which the findings are of no use. */
  readonly needs: readonly AnsweringStore[];
};

/**
 * Analyzes an image, with the JPEG files that are stored of it.
 *
 * @throws the errors of {@link ImageAnalyzer.analyze}; InferenceUnavailable if another face model
 *   answered than the active one; the error of a needed store that does not answer; StoreUnavailable
 */
export async function analyzeImage(
  deps: { readonly analyzer: ImageAnalyzer; readonly models: ModelRegistry },
  { image, find, needs, ...wanted }: RunRequest,
  signal?: AbortSignal,
): Promise<AnalyzedRun> {
  const { settings } = wanted;
  const sizeBytes = image.byteLength;
  const original = settings.keepOriginals ? image.slice() : null;
  const analysis = await analyzeWhileAnswering(
    { analyzer: deps.analyzer, stores: needs },
    {
      image,
      ...(find.faces && { faces: faceOptions(settings) }),
      ...(find.objects && { objects: objectOptions(settings) }),
      renditions: renditionOptions(settings),
    },
    signal,
  );
  const { faces, objects } = analysis;
  const models = {
    faces: faces && (await deps.models.ofVectors(faces.model)),
    objects: objects && (await deps.models.of(objects.model)),
  };
  return { ...wanted, sizeBytes, original, analysis, models };
}
