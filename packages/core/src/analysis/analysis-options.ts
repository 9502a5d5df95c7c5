import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type {
  FaceAnalysisOptions,
  ObjectAnalysisOptions,
  RenditionOptions,
} from './image-analyzer.ts';

/** Options for face detection with embeddings and all attributes. */
export function faceOptions(
  settings: Pick<EffectiveSettings, 'faceDetectionThreshold' | 'faceUpright'>,
): FaceAnalysisOptions {
  return {
    detectionThreshold: settings.faceDetectionThreshold,
    embed: true,
    attributes: true,
    fullFramePass: true,
    upright: settings.faceUpright,
  };
}

export function objectOptions(
  settings: Pick<
    EffectiveSettings,
    'objectConfidenceThreshold' | 'objectClassFilter' | 'objectVocabulary'
  >,
): ObjectAnalysisOptions {
  return {
    confidenceThreshold: settings.objectConfidenceThreshold,
    classFilter: settings.objectClassFilter,
    vocabulary: settings.objectVocabulary,
  };
}

export function renditionOptions(
  settings: Pick<
    EffectiveSettings,
    'sourceMaxSize' | 'ingestJpegQuality' | 'cropPadding' | 'cropJpegQuality'
  >,
): RenditionOptions {
  return {
    source: { maxSize: settings.sourceMaxSize, quality: settings.ingestJpegQuality },
    crops: { padding: settings.cropPadding, quality: settings.cropJpegQuality },
  };
}
