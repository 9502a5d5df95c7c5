import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidLabel, normalizeLabel } from './label.ts';

describe('normalizeLabel', () => {
  test('composes and trims, and leaves the inside unchanged', () => {
    expect(normalizeLabel(' \t Zoe\u0308  van  Dijk \n')).toBe('Zo\u00eb  van  Dijk');
    expect(normalizeLabel('ANN')).toBe('ANN');
  });

  test('keeps characters without width, also around it', () => {
    for (const text of ['\u200bZed\u200b', '\ufeffZed\ufeff', '\u202eZed\u202c']) {
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

  test.each([
    '\u200b',
    '\u200d',
    '\ufeff \u2060',
    '\u202e\u202c',
    '\u200e\u200f\u061c\u2066\u2069',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\ufe0f\u{e0100}',
    '\u{e0041}',
    '\ufff9\ufffb',
    '\u{1d173}',
  ])('refuses %j, in which nothing can be seen', (text) => {
    expect(() => normalizeLabel(text)).toThrow(
      'A label must contain at least one visible character.',
    );
  });

  test.each(['\u0600', '🙂', '👩\u200d🚀', '\u05d0\u200f', '.', '\u0301', '\ue000'])(
    'accepts %j',
    (text) => {
      expect(normalizeLabel(text)).toBe(text);
    },
  );

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
