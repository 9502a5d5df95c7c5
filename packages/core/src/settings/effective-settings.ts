import { SETTINGS, type SettingKey, type SettingValueOf } from './settings-catalog.ts';

/** The values of the settings that requests use. {@link SETTINGS} has their ranges and defaults. */
export type EffectiveSettings = {
  readonly [Name in keyof typeof KEYS]: SettingValueOf<(typeof KEYS)[Name]>;
};

const KEYS = {
  matchThreshold: 'face.match_threshold',
  autoConfirmThreshold: 'face.auto_confirm_threshold',
  autoEnrollThreshold: 'face.auto_enroll_threshold',
  matchStrategy: 'face.match_strategy',
  clusterThreshold: 'face.cluster_threshold',
  faceDetectionThreshold: 'face.detection_threshold',
  faceUpright: 'face.upright',
  objectConfidenceThreshold: 'object.confidence_threshold',
  objectClassFilter: 'object.class_filter',
  objectVocabulary: 'object.vocabulary',
  auditReads: 'audit.reads',
  useGpu: 'system.use_gpu',
  sourceMaxSize: 'system.source_max_size',
  ingestJpegQuality: 'system.ingest_jpeg_quality',
  cropJpegQuality: 'system.crop_jpeg_quality',
  cropPadding: 'system.crop_padding',
  keepOriginals: 'system.keep_originals',
  urlFetchTimeoutSeconds: 'system.url_fetch_timeout_seconds',
  urlFetchMaxSizeMb: 'system.url_fetch_max_size_mb',
  urlFetchPrivate: 'system.url_fetch_private',
  importMaxBytes: 'system.import_max_bytes',
  rateLimitPerMinute: 'system.rate_limit_per_minute',
  invitationsOfNewAccounts: 'system.invitations_of_new_accounts',
  auditRetentionDays: 'system.audit_retention_days',
} as const satisfies Record<string, SettingKey>;

/**
 * Returns the settings for the stored values. A setting has its default if it has no stored value, or a stored value that
 * is not valid anymore.
 */
export function effectiveSettings(stored: ReadonlyMap<string, unknown>): EffectiveSettings {
  const entries = Object.entries(KEYS).map(([name, key]) => [
    name,
    SETTINGS[key].read(stored.get(key)) ?? SETTINGS[key].default,
  ]);
  return Object.fromEntries(entries) as EffectiveSettings;
}
