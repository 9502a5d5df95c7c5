import type { OperationBody } from '../../client/operations.ts';

export type Setting = OperationBody<'listSettings'>['items'][number];

/** The groups of the page in their order, with the keys of their settings. */
const GROUPS = {
  recognition: [
    'face.match_threshold',
    'face.auto_confirm_threshold',
    'face.auto_enroll_threshold',
    'face.match_strategy',
    'face.cluster_threshold',
  ],
  detection: ['face.detection_threshold', 'face.upright', 'system.use_gpu'],
  objects: ['object.confidence_threshold', 'object.class_filter', 'object.vocabulary'],
  images: [
    'system.source_max_size',
    'system.ingest_jpeg_quality',
    'system.crop_jpeg_quality',
    'system.crop_padding',
    'system.keep_originals',
    'system.url_fetch_timeout_seconds',
    'system.url_fetch_max_size_mb',
    'system.url_fetch_private',
    'system.import_max_bytes',
  ],
  events: ['webhook.url'],
  privacy: [
    'curation.undo_days',
    'audit.reads',
    'system.audit_retention_days',
    'system.invitations_of_new_accounts',
    'system.rate_limit_per_minute',
  ],
} as const;

export type GroupName = keyof typeof GROUPS | 'other';

export interface Group {
  readonly name: GroupName;
  readonly settings: readonly Setting[];
}

/** Returns the settings in groups. Those of a later release, which no group names, come last. */
export function groupSettings(settings: readonly Setting[]): readonly Group[] {
  const named = new Set<string>(Object.values(GROUPS).flat());
  const groups = Object.entries(GROUPS).map(([name, keys]) => ({
    name: name as GroupName,
    settings: keys.flatMap((key) => settings.find((setting) => setting.key === key) ?? []),
  }));
  const other = settings.filter(({ key }) => !named.has(key));
  return [...groups, { name: 'other' as const, settings: other }].filter(
    (group) => group.settings.length > 0,
  );
}
