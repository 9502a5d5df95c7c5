import { describe, expect, test } from '@jest/globals';
import { effectiveSettings } from './effective-settings.ts';
import { SETTINGS } from './settings-catalog.ts';

describe('effectiveSettings', () => {
  test('are the defaults where nothing is stored, one of each setting', () => {
    const defaults = effectiveSettings(new Map());
    expect(Object.keys(defaults)).toHaveLength(
      // `webhook.url` and `curation.undo_days` are not among them, because only the database uses them.
      Object.keys(SETTINGS).length - 2,
    );
    expect(defaults).toMatchObject({
      matchThreshold: 0.5,
      autoConfirmThreshold: 0.8,
      autoEnrollThreshold: 0.92,
      matchStrategy: 'best_match',
      useGpu: true,
      importMaxBytes: 10 * 1024 ** 3,
    });
  });

  test('are the stored values, falsy ones too', () => {
    const settings = effectiveSettings(
      new Map<string, unknown>([
        ['face.auto_enroll_threshold', 0],
        ['system.use_gpu', false],
        ['object.class_filter', ['cat']],
        ['face.match_strategy', 'average'],
      ]),
    );
    expect(settings).toMatchObject({
      autoEnrollThreshold: 0,
      useGpu: false,
      objectClassFilter: ['cat'],
      matchStrategy: 'average',
    });
  });

  test('fall back to the default for an invalid value, and ignore foreign keys', () => {
    const stored = new Map<string, unknown>([
      ['face.match_threshold', 7],
      ['object.class_filter', ['dragon']],
      ['system.crop_padding', null],
      ['face.retired', 1],
    ]);
    expect(effectiveSettings(stored)).toEqual(effectiveSettings(new Map()));
  });
});
