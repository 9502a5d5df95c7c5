import { describe, expect, test } from '@jest/globals';
import { table } from './table.ts';

describe('table', () => {
  test('columns are as wide as their widest cell; numbers are right-aligned', () => {
    const lines = table(
      [{ title: 'who' }, { title: 'similarity', align: 'right' }],
      [
        ['Ada', '0.98'],
        ['unknown', '0.31'],
      ],
    );
    expect(lines).toEqual(['who      similarity', 'Ada            0.98', 'unknown        0.31']);
  });

  test('a line has at most 80 characters, at the cost of the widest column', () => {
    const lines = table(
      [{ title: 'name' }, { title: 'note' }, { title: 'n', align: 'right' }],
      [['x'.repeat(120), 'y'.repeat(20), '7']],
    );
    expect(Math.max(...lines.map((line) => line.length))).toBe(80);
    expect(lines[1]).toMatch(new RegExp(`^x{54}…  ${'y'.repeat(20)}  7$`));
  });

  test('a grapheme cluster counts as one character', () => {
    const lines = table([{ title: 'n' }, { title: 'm' }], [['𝒜e\u0301', 'a']]);
    expect(lines).toEqual(['n   m', '𝒜e\u0301  a']);
  });
});
