import { describe, expect, test } from '@jest/globals';
import { wrapped } from './wrapped.ts';

describe('wrapped', () => {
  test('a short text is one line', () => {
    expect(wrapped('a starter pack is there', '  ')).toEqual(['  a starter pack is there']);
  });

  test('a long one breaks between words, before the 81st character', () => {
    const lines = wrapped('word '.repeat(40).trim(), '  ');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(`  ${'word '.repeat(15).trim()}`);
    expect(lines.every((line) => line.startsWith('  word') && line.length <= 80)).toBe(true);
  });

  test('a word that fits no line has one for itself', () => {
    const path = 'x'.repeat(100);
    expect(wrapped(`at ${path} there`)).toEqual(['at', path, 'there']);
  });
});
