import { expect, test } from '@jest/globals';
import { cutToBytes } from './cut-to-bytes.ts';

test.each([
  ['short', 10, 'short'],
  ['exact', 5, 'exact'],
  ['longer', 4, 'long'],
  ['жжж', 5, 'жж'],
  ['a🙂', 4, 'a'],
  ['a🙂', 5, 'a🙂'],
  ['\uFEFFab', 4, '\uFEFFa'],
  ['🙂', 3, ''],
])('%j in %i bytes is %j', (text, most, cut) => {
  expect(cutToBytes(text, most)).toBe(cut);
});
