import type { EffectiveSettings } from '../settings/effective-settings.ts';
import type {
  FaceAnalysisOptions,
  ObjectAnalysisOptions,
  RenditionOptions,
} from './image-analyzer.ts';

/** How faces are looked for: always with embeddings and all that the model can tell. */
export function faceOptions(
  settings: Pick<EffectiveSettings, 'faceDetectionThreshold'>,
): FaceAnalysisOptions {
  return {
    detectionThreshold: settings.faceDetectionThreshold,
    embed: true,
    attributes: true,
    fullFramePass: true,
  };
}

export function objectOptions(
  settings: Pick<EffectiveSettings, 'objectConfidenceThreshold' | 'objectClassFilter'>,
): ObjectAnalysisOptions {
  return {
    confidenceThreshold: settings.objectConfidenceThreshold,
    classFilter: settings.objectClassFilter,
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
