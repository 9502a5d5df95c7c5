import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { COCO_CLASSES } from '../models/coco-classes.ts';
import {
  SETTINGS,
  settingDefinition,
  validateSetting,
  type SettingKey,
} from './settings-catalog.ts';

const KEYS = Object.keys(SETTINGS) as SettingKey[];

describe('the catalog', () => {
  test('has the documented keys, types and defaults', () => {
    expect(
      Object.fromEntries(KEYS.map((key) => [key, [SETTINGS[key].type, SETTINGS[key].default]])),
    ).toEqual({
      'face.match_threshold': ['number', 0.5],
      'face.auto_confirm_threshold': ['number', 0.8],
      'face.auto_enroll_threshold': ['number', 0.92],
      'face.match_strategy': ['string', 'best_match'],
      'face.cluster_threshold': ['number', 0.5],
      'face.detection_threshold': ['number', 0.5],
      'face.upright': ['boolean', true],
      'object.confidence_threshold': ['number', 0.25],
      'object.class_filter': ['string_array', []],
      'object.vocabulary': ['string_array', []],
      'webhook.url': ['string', ''],
      'curation.undo_days': ['integer', 7],
      'audit.reads': ['boolean', false],
      'system.use_gpu': ['boolean', true],
      'system.source_max_size': ['integer', 1920],
      'system.ingest_jpeg_quality': ['integer', 85],
      'system.invitations_of_new_accounts': ['string', 'owners'],
      'system.audit_retention_days': ['integer', 365],
      'system.rate_limit_per_minute': ['integer', 0],
      'system.crop_jpeg_quality': ['integer', 75],
      'system.crop_padding': ['number', 0.2],
      'system.keep_originals': ['boolean', false],
      'system.url_fetch_timeout_seconds': ['number', 10],
      'system.url_fetch_max_size_mb': ['number', 25],
      'system.url_fetch_private': ['boolean', true],
      'system.import_max_bytes': ['integer', 10_737_418_240],
    });
  });

  test.each(KEYS)(
    '%s takes its default, and belongs to the installation if it is system.*',
    (key) => {
      expect(validateSetting(key, SETTINGS[key].default)).toEqual(SETTINGS[key].default);
      expect(SETTINGS[key].scope).toBe(key.startsWith('system.') ? 'system' : 'environment');
    },
  );
});

describe('validateSetting', () => {
  test.each<[SettingKey, unknown[]]>([
    ['face.match_threshold', [-1, 0, 0.63, 1]],
    ['face.match_strategy', ['average']],
    ['object.class_filter', [[], ['person', 'hair drier'], COCO_CLASSES]],
    ['object.vocabulary', [['a red umbrella', '茶色い犬', '\ufeffa']]],
    ['webhook.url', ['', 'http://10.0.0.7:9000/hook?a=b', 'https://example.org']],
    ['system.use_gpu', [false]],
    ['system.ingest_jpeg_quality', [1, 95]],
    ['system.crop_padding', [0, 1]],
    ['system.import_max_bytes', [1]],
  ])('%s accepts values in its range', (key, values) => {
    for (const value of values) expect(validateSetting(key, value)).toEqual(value);
  });

  test.each<[SettingKey, unknown[], string]>([
    ['face.match_threshold', [-1.01, 1.01, NaN, '0.5', true, [0.5]], 'a number from -1 to 1'],
    ['face.auto_enroll_threshold', [-0.1, 1.1], 'a number from 0 to 1'],
    ['face.match_strategy', ['best', '', 1], 'best_match or average'],
    ['object.class_filter', [['dragon'], 'person', [1]], 'a list of names of the 80 COCO classes'],
    [
      'object.vocabulary',
      [
        [''],
        [' a'],
        ['a\u0085'],
        ['a\ud800'],
        ['a\nb'],
        ['a'.repeat(201)],
        [7],
        'a',
        Array.from({ length: 201 }, (_, i) => `thing ${i}`),
      ],
      'a list of at most 200 texts of 1 to 200 characters in one line, without spaces around them',
    ],
    [
      'webhook.url',
      [
        'ftp://a/b',
        'example.org',
        'http://',
        `http://a/${'b'.repeat(2000)}`,
        'http://a/\0',
        'http://a/\n',
        'http://a/\ud800',
        5,
      ],
      'an http or https URL of at most 2000 characters, or empty',
    ],
    ['system.use_gpu', ['true', 1, 0], 'true or false'],
    ['system.ingest_jpeg_quality', [0, 96, 80.5, '85', Infinity], 'an integer from 1 to 95'],
    ['system.source_max_size', [0, 15, 65_536, -1920], 'an integer from 16 to 65500'],
  ])('%s refuses anything else', (key, values, accepts) => {
    for (const value of [...values, null, undefined, {}]) {
      expect(() => validateSetting(key, value)).toThrow(
        expect.objectContaining({ code: 'invalid_request', message: `${key} must be ${accepts}.` }),
      );
    }
  });

  test('drops repetitions from a list', () => {
    expect(validateSetting('object.class_filter', ['cat', 'dog', 'cat'])).toEqual(['cat', 'dog']);
  });

  test.each(['face.unknown', '', 'toString', '__proto__'])('does not know %j', (key) => {
    expect(() => validateSetting(key, 1)).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(() => settingDefinition(key)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  // The values pass through JSON, which has no negative zero.
  const aValue = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));

  test('accepts its own result again, for any JSON value and key', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KEYS), aValue, (key, value) => {
        const read = SETTINGS[key].read(value);
        if (read === undefined) return;
        expect(validateSetting(key, JSON.parse(JSON.stringify(read)))).toEqual(read);
      }),
      { numRuns: 1000 },
    );
  });
});

test('the COCO classes are 80 different names', () => {
  expect(new Set(COCO_CLASSES).size).toBe(80);
});
