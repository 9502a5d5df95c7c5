import { createHash } from 'node:crypto';
import type { RegisteredModel } from '../../models/model-store.ts';
import type { ModelRegistry } from '../../models/model-registry.ts';
import type { EffectiveSettings } from '../../settings/effective-settings.ts';
import type { AnsweringStore } from '../../store/answering-store.ts';
import type { Scope } from '../../store/scope.ts';
import { faceOptions, objectOptions, renditionOptions } from '../../analysis/analysis-options.ts';
import { analyzeWhileAnswering } from '../../analysis/analyze-while-answering.ts';
import type { ImageAnalysis, ImageAnalyzer } from '../../analysis/image-analyzer.ts';

/** What was found in an image that is about to be stored. */
export interface AnalyzedImage {
  readonly scope: Scope;
  readonly settings: EffectiveSettings;
  /** SHA-256 (hex) of the given bytes. */
  readonly digest: string;
  /** Of the given bytes. */
  readonly sizeBytes: number;
  /** The given bytes, where they are kept. */
  readonly original: Uint8Array | null;
  readonly analysis: ImageAnalysis;
  /** Rows of the models that answered. */
  readonly models: {
    readonly faces: RegisteredModel | null;
    readonly objects: RegisteredModel | null;
  };
}

/** SHA-256 (hex): what tells images apart. */
export function digestOf(image: Uint8Array): string {
  return createHash('sha256').update(image).digest('hex');
}

/**
 * Lets an image be analyzed with everything that is stored of it. The analyzer takes the bytes.
 *
 * @throws the errors of {@link ImageAnalyzer.analyze}; InferenceUnavailable if another face model
 *   answered than the active one; the error of a store that is needed and does not answer;
 *   StoreUnavailable
 */
export async function analyzeForStorage(
  deps: { readonly analyzer: ImageAnalyzer; readonly models: ModelRegistry },
  request: Pick<AnalyzedImage, 'scope' | 'settings' | 'digest'> & {
    readonly image: Uint8Array;
    readonly find: { readonly faces: boolean; readonly objects: boolean };
    /** Stores without which what is found is of no use. */
    readonly needs: readonly AnsweringStore[];
  },
  signal?: AbortSignal,
): Promise<AnalyzedImage> {
  const { scope, settings, digest, image, find, needs } = request;
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
  return { scope, settings, digest, sizeBytes, original, analysis, models };
}
