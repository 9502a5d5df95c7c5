import { expect, test } from '@jest/globals';
import { externalRef, storableText } from './text.ts';

test('storable text is read as it was written', () => {
  const text = storableText(5);
  for (const good of ['', 'abcde', 'ä\n\t', '\u{1f600}']) expect(text.parse(good)).toBe(good);
  for (const bad of ['abcdef', 'a\0', '\ud83d', '\ude00\ud83d']) {
    expect(text.safeParse(bad).success).toBe(false);
  }
});

test('an empty reference counts as absent', () => {
  for (const none of ['', null, undefined]) expect(externalRef.parse(none)).toBeUndefined();
  expect(externalRef.parse('order 7')).toBe('order 7');
  expect(externalRef.safeParse('\ud83d').success).toBe(false);
});
