import { effectiveSettings, type EffectiveSettings } from './effective-settings.ts';

/** The settings that recognition without a store reads. */
export type RecognitionSettings = Pick<
  EffectiveSettings,
  'matchThreshold' | 'faceDetectionThreshold' | 'objectConfidenceThreshold' | 'objectClassFilter'
>;

export const DEFAULT_RECOGNITION_SETTINGS: RecognitionSettings = effectiveSettings(new Map());
