import { describe, expect, test } from '@jest/globals';
import { judge, tally } from './tally.ts';

const face = (label: string | null, similarity: number | null, size = 50) => ({
  label,
  similarity,
  bbox: { w: size, h: size },
});

describe('judge', () => {
  test.each([
    ['right', [face('Ada', 0.8)]],
    ['wrong', [face('Mei', 0.6)]],
    ['unknown', [face(null, 0.4)]],
    ['no face', []],
  ])('%s', (outcome, faces) => {
    const similarity = faces[0]?.similarity ?? null;
    expect(judge(faces, 'Ada')).toEqual({ outcome, similarity });
  });

  test('the largest face counts, at any position in the answer', () => {
    const faces = [face('Mei', 0.9, 30), face('Ada', 0.7, 90), face(null, 0.2, 40)];
    expect(judge(faces, 'Ada')).toEqual({ outcome: 'right', similarity: 0.7 });
  });
});

describe('tally', () => {
  test('counts outcomes; the mean excludes photos without a face', () => {
    expect(
      tally([
        { outcome: 'right', similarity: 0.8 },
        { outcome: 'unknown', similarity: 0.4 },
        { outcome: 'no face', similarity: null },
      ]),
    ).toEqual({
      photos: 3,
      right: 1,
      wrong: 0,
      unknown: 1,
      'no face': 1,
      similarity: 0.6000000000000001,
    });
  });

  test('no photos', () => {
    expect(tally([])).toMatchObject({ photos: 0, right: 0, similarity: null });
  });
});
