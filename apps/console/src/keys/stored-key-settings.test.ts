/** @jest-environment jsdom */
import { expect, test } from '@jest/globals';
import { USUAL_KEYS } from './keyboard.ts';
import { KEY_SETTINGS_NAME, readKeySettings, storeKeySettings } from './stored-key-settings.ts';

test('settings are read as they were stored', () => {
  const settings = { characterKeys: false, changed: { 'people.merge': 'Q' } };
  storeKeySettings(settings);
  expect(readKeySettings()).toEqual(settings);
});

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['no object', 'null'],
  ['other types', '{"characterKeys":1,"changed":[1]}'],
  ['commands that are unknown', '{"changed":{"toString":"Q","people.former":"Q"}}'],
  ['a key that is no text', '{"changed":{"people.merge":{"key":"Q"}}}'],
])('with %s stored, the keys are the usual ones', (_, stored) => {
  localStorage.clear();
  if (stored !== null) localStorage.setItem(KEY_SETTINGS_NAME, stored);
  expect(readKeySettings()).toEqual(USUAL_KEYS);
});
