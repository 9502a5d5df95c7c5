import { COCO_CLASSES } from '../models/coco-classes.ts';
import {
  booleanSetting,
  choiceSetting,
  integerSetting,
  namesSetting,
  numberSetting,
  phrasesSetting,
  urlSetting,
  type SettingDefinition,
  type SettingValue,
} from './setting-definition.ts';
import { MAX_IMAGE_SIDE } from '../sources/image-limits.ts';
import { InvalidSetting, SettingNotFound } from './setting-errors.ts';

const SIMILARITY = { min: -1, max: 1 };
const SHARE = { min: 0, max: 1 };
const JPEG_QUALITY = { min: 1, max: 95 };
const GIB = 1024 ** 3;

/** All settings. A changed value takes effect with the next request. Values are not checked against each other. */
export const SETTINGS = {
  'face.match_threshold': numberSetting(SIMILARITY, {
    default: 0.5,
    scope: 'environment',
    description: 'Minimum similarity at which the service assigns a face to an identity.',
  }),
  'face.auto_confirm_threshold': numberSetting(SIMILARITY, {
    default: 0.8,
    scope: 'environment',
    description: 'Minimum similarity at which the service confirms an assignment without a review.',
  }),
  'face.auto_enroll_threshold': numberSetting(SHARE, {
    default: 0.92,
    scope: 'environment',
    description:
      'Minimum quality at which a face that the service confirmed without a review becomes a reference; 0 turns this off.',
  }),
  'face.match_strategy': choiceSetting(['best_match', 'average'], {
    default: 'best_match',
    scope: 'environment',
    description:
      'How a face is compared with an identity: with its closest reference (best_match), or with the mean of its references (average).',
  }),
  'face.cluster_threshold': numberSetting(SIMILARITY, {
    default: 0.5,
    scope: 'environment',
    description:
      'Similarity at which unidentified faces form a group; a higher value makes more and smaller groups.',
  }),
  'face.detection_threshold': numberSetting(SHARE, {
    default: 0.5,
    scope: 'environment',
    description: 'Minimum score of the detector at which a detection counts as a face.',
  }),
  'face.upright': booleanSetting({
    default: true,
    scope: 'environment',
    description:
      'Whether a photo without a clearly upright face is also searched turned by 90, 180 and 270 degrees; this finds faces in photos that lie on their side or upside down, and photos without faces take up to a quarter longer.',
  }),
  'object.confidence_threshold': numberSetting(SHARE, {
    default: 0.25,
    scope: 'environment',
    description: 'Minimum score of the detector at which a detection counts as an object.',
  }),
  'object.class_filter': namesSetting(COCO_CLASSES, {
    default: [],
    scope: 'environment',
    accepts: `a list of names of the ${COCO_CLASSES.length} COCO classes`,
    description:
      'Classes of objects to detect; an empty list means all. Open-vocabulary models ignore it.',
  }),
  'object.vocabulary': phrasesSetting({
    default: [],
    scope: 'environment',
    description: 'Objects for open-vocabulary models to detect, in plain language.',
  }),
  'webhook.url': urlSetting({
    default: '',
    scope: 'environment',
    description: 'Address that receives every event of the environment; empty for none.',
  }),
  'curation.undo_days': integerSetting(
    { min: 0, max: 90 },
    {
      default: 7,
      scope: 'environment',
      description:
        'Days for which a request that changed what people decided can be undone, and deleted records and files are kept for that; 0 means that nothing is kept.',
    },
  ),
  'audit.reads': booleanSetting({
    default: false,
    scope: 'environment',
    description: 'Whether the audit log includes reading requests.',
  }),
  'system.use_gpu': booleanSetting({
    default: true,
    scope: 'system',
    description: 'Whether models run on the GPU if the machine has one; false means the CPU.',
  }),
  'system.source_max_size': integerSetting(
    { min: 16, max: MAX_IMAGE_SIDE },
    {
      default: 1920,
      scope: 'system',
      unit: 'pixels',
      description: 'Longest side of stored images in pixels; larger ones are scaled down.',
    },
  ),
  'system.ingest_jpeg_quality': integerSetting(JPEG_QUALITY, {
    default: 85,
    scope: 'system',
    description: 'JPEG quality of stored images.',
  }),
  'system.crop_jpeg_quality': integerSetting(JPEG_QUALITY, {
    default: 75,
    scope: 'system',
    description: 'JPEG quality of the crops of faces and objects.',
  }),
  'system.crop_padding': numberSetting(SHARE, {
    default: 0.2,
    scope: 'system',
    description:
      'Margin of a crop on each side, as a share of the width and height of its box, as far as ' +
      'the image reaches.',
  }),
  'system.keep_originals': booleanSetting({
    default: false,
    scope: 'system',
    description: 'Whether the service keeps the posted files in addition to the stored images.',
  }),
  'system.url_fetch_timeout_seconds': numberSetting(
    { min: 0.1, max: 300 },
    {
      default: 10,
      scope: 'system',
      unit: 'seconds',
      description: 'Seconds within which the service must have fetched an image_url.',
    },
  ),
  'system.url_fetch_max_size_mb': numberSetting(
    { min: 0.01, max: 1024 },
    {
      default: 25,
      scope: 'system',
      unit: 'megabytes',
      description:
        'Maximum size of an image behind an image_url, in MB (of 1,048,576 bytes); the limit of an image applies as well.',
    },
  ),
  'system.url_fetch_private': booleanSetting({
    default: true,
    scope: 'system',
    description:
      'Whether an image_url may lead into a private network or to this machine; false allows public addresses only.',
  }),
  'system.import_max_bytes': integerSetting(
    { min: 1, max: 1024 * GIB },
    {
      default: 10 * GIB,
      scope: 'system',
      unit: 'bytes',
      description: 'Maximum size in bytes of an archive to import.',
    },
  ),
  'system.rate_limit_per_minute': integerSetting(
    { min: 0, max: 1_000_000 },
    {
      default: 0,
      scope: 'system',
      unit: 'requests',
      description:
        'Requests that a key may send to one process of the API per minute; 0 means any number.',
    },
  ),
  'system.invitations_of_new_accounts': choiceSetting(['owners', 'administrators'], {
    default: 'owners',
    scope: 'system',
    description:
      'Whose invitations may create accounts: those of all owners of environments, or of administrators alone. Others then invite people who have an account.',
  }),
  'system.audit_retention_days': integerSetting(
    { min: 0, max: 36_500 },
    {
      default: 365,
      scope: 'system',
      unit: 'days',
      description: 'Days for which entries of the audit are kept; 0 means without an end.',
    },
  ),
};

export type SettingKey = keyof typeof SETTINGS;

export type SettingValueOf<K extends SettingKey> = (typeof SETTINGS)[K]['default'];

/** @throws SettingNotFound */
export function settingDefinition(key: string): SettingDefinition {
  if (!Object.hasOwn(SETTINGS, key)) throw new SettingNotFound(`There is no setting ${key}.`);
  return SETTINGS[key as SettingKey];
}

/**
 * Returns the value to store. A list loses its repetitions; other values are unchanged.
 *
 * @throws SettingNotFound for an unknown key; InvalidSetting for null, and for a value of another type or out of range
 */
export function validateSetting(key: string, value: unknown): SettingValue {
  const { read, accepts } = settingDefinition(key);
  const valid = read(value);
  if (valid === undefined) throw new InvalidSetting(`${key} must be ${accepts}.`);
  return valid;
}
