import { expect, test } from '@jest/globals';
import { groupSettings, type Setting } from './setting-groups.ts';

const setting = (key: string): Setting => ({
  key,
  value: 0.5,
  default: 0.5,
  type: 'number',
  description: '',
  scope: 'environment',
  min: 0,
  max: 1,
  options: null,
  max_items: null,
  unit: null,
  changed_at: null,
  changed_by: null,
});

const keysOf = (...keys: string[]) =>
  groupSettings(keys.map(setting)).map(({ name, settings }) => [
    name,
    settings.map(({ key }) => key),
  ]);

test('settings are in the order of their group, and groups without settings are absent', () => {
  expect(keysOf('audit.reads', 'face.auto_confirm_threshold', 'face.match_threshold')).toEqual([
    ['recognition', ['face.match_threshold', 'face.auto_confirm_threshold']],
    ['privacy', ['audit.reads']],
  ]);
});

test('settings that no group names come last', () => {
  expect(keysOf('face.new', 'webhook.url', 'system.new')).toEqual([
    ['events', ['webhook.url']],
    ['other', ['face.new', 'system.new']],
  ]);
});
