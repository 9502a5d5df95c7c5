import type { RecognitionSettings } from '../settings/recognition-settings.ts';
import type { AnalyzedFace, AnalyzedObject, ImageAnalyzer } from './image-analyzer.ts';

/** Which detectors a caller wants. */
export type DetectionTypes = 'faces' | 'objects' | 'all';

export interface ImageTest {
  /** Null: no active model, or not asked for. */
  readonly faces: readonly AnalyzedFace[] | null;
  readonly objects: readonly AnalyzedObject[] | null;
  /** Which tasks have an active model, asked for or not. */
  readonly available: { readonly faces: boolean; readonly objects: boolean };
}

export interface TestImageDeps {
  readonly analyzer: ImageAnalyzer;
  readonly settings: RecognitionSettings;
}

/**
 * Finds what is in an image and stores nothing. A task without an active model is skipped.
 *
 * @throws the errors of {@link ImageAnalyzer.analyze}
 */
export async function testImage(
  deps: TestImageDeps,
  input: { readonly image: Uint8Array; readonly types: DetectionTypes },
  signal?: AbortSignal,
): Promise<ImageTest> {
  const { analyzer, settings } = deps;
  const { models } = await analyzer.status(signal);
  const analysis = await analyzer.analyze(
    {
      image: input.image,
      ...(input.types !== 'objects' && {
        faces: {
          detectionThreshold: settings.faceDetectionThreshold,
          embed: false,
          attributes: true,
          fullFramePass: true,
        },
      }),
      ...(input.types !== 'faces' && {
        objects: {
          confidenceThreshold: settings.objectConfidenceThreshold,
          classFilter: settings.objectClassFilter,
        },
      }),
    },
    signal,
  );
  return {
    faces: analysis.faces?.items ?? null,
    objects: analysis.objects?.items ?? null,
    available: {
      faces: models.some((model) => model.task === 'face'),
      objects: models.some((model) => model.task !== 'face'),
    },
  };
}
