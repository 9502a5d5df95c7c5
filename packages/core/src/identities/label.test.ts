import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidLabel, normalizeLabel } from './label.ts';

describe('normalizeLabel', () => {
  test('composes and trims, and leaves the inside unchanged', () => {
    expect(normalizeLabel(' \t Zoe\u0308  van  Dijk \n')).toBe('Zo\u00eb  van  Dijk');
    expect(normalizeLabel('ANN')).toBe('ANN');
  });

  test('keeps characters without width, also around it', () => {
    for (const text of ['\u200bZed\u200b', '\ufeffZed\ufeff', '\u200d']) {
      expect(normalizeLabel(text)).toBe(text);
    }
    expect(normalizeLabel('\u3000Zed\u0085')).toBe('Zed');
  });

  test('counts characters, not UTF-16 units', () => {
    const faces = '🙂'.repeat(200);
    expect(normalizeLabel(` ${faces} `)).toBe(faces);
    expect(() => normalizeLabel(`${faces}a`)).toThrow(
      'A label must have 1 to 200 characters; this one has 201.',
    );
  });

  test('counts after composing', () => {
    expect(normalizeLabel('e\u0301'.repeat(200))).toBe('é'.repeat(200));
  });

  test.each([
    '',
    '   ',
    '\n',
    'An\u0000n',
    'Ann\nBob',
    'Ann\u0085Bob',
    'Ann\ud83d',
    'a'.repeat(201),
  ])('refuses %j', (text) => {
    expect(() => normalizeLabel(text)).toThrow(InvalidLabel);
  });

  test('throws an error of an invalid request', () => {
    expect(() => normalizeLabel('')).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  test('leaves a normalized label as it is', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const isLabel = (candidate: string) => {
      try {
        return normalizeLabel(candidate) !== '';
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(text.filter(isLabel), (candidate) => {
        const label = normalizeLabel(candidate);
        expect(normalizeLabel(label)).toBe(label);
      }),
    );
  });
});
