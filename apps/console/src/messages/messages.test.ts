import { expect, test } from '@jest/globals';
import { counted } from './counted.ts';
import { chooseLocale, defineMessages } from './define-messages.ts';
import { Formats } from './formats.ts';
import { toPseudo } from './pseudo.ts';

test.each([
  [['de-AT', 'en'], 'de'],
  [['fr', 'de'], 'de'],
  [['fr'], 'en'],
  [['EN-gb'], 'en'],
  [[], 'en'],
])('for %j the language is %s', (requested, locale) => {
  expect(chooseLocale(requested)).toBe(locale);
});

test.each([
  ['1', '1 face'],
  ['0', '0 faces'],
  ['1,234', '1,234 faces'],
])('%s has the noun of %s', (count, text) => {
  expect(counted(count, 'face', 'faces')).toBe(text);
});

test('texts of the language for tests are longer and marked', () => {
  const { en } = defineMessages({
    en: { title: 'Images', faces: (count: string) => `${count} faces` },
    de: { title: 'Bilder', faces: (count: string) => `${count} Gesichter` },
  });
  const pseudo = toPseudo(en);
  expect(pseudo.title).toBe('[Ímágés~~]');
  expect(pseudo.faces('3')).toBe('[3 fácés~~~]');
});

test.each([
  ['en-US', 1_234_567, '1,234,567'],
  ['de-DE', 1_234_567, '1.234.567'],
])('numbers in %s', (tag, value, text) => expect(new Formats(tag).number(value)).toBe(text));

test.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [1_500, '1.5 kB'],
  [26_214_400, '26.2 MB'],
])('%d bytes are %s', (size, text) => expect(new Formats('en-US').bytes(size)).toBe(text));

test.each([
  [1, '1 sec'],
  [89, '89 sec'],
  [120, '2 min'],
  [7_200, '2 hr'],
])('%d seconds are %s', (seconds, text) => {
  expect(new Formats('en-US').seconds(seconds)).toBe(text);
});
