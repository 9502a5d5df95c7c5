import { describe, expect, test } from '@jest/globals';
import { wrapped } from './wrapped.ts';

describe('wrapped', () => {
  test('a short text is one line', () => {
    expect(wrapped('a starter pack is ready', '  ')).toEqual(['  a starter pack is ready']);
  });

  test('a long text breaks between words, before the 81st character', () => {
    const lines = wrapped('word '.repeat(40).trim(), '  ');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(`  ${'word '.repeat(15).trim()}`);
    expect(lines.every((line) => line.startsWith('  word') && line.length <= 80)).toBe(true);
  });

  test('a word longer than a line has a line of its own', () => {
    const path = 'x'.repeat(100);
    expect(wrapped(`at ${path} there`)).toEqual(['at', path, 'there']);
  });
});
