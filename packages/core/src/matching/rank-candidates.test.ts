import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CalibrationKnots } from '../models/model.ts';
import { calibrateSimilarity } from './calibrate-similarity.ts';
import { cosineSimilarity } from './cosine-similarity.ts';
import { rankByBestReference, rankByMean, type GalleryVector } from './rank-candidates.ts';

const at = (degrees: number) => {
  const angle = (degrees / 180) * Math.PI;
  return Float32Array.of(Math.cos(angle), Math.sin(angle));
};
const of = (identityId: number, degrees: number): GalleryVector => ({
  identityId,
  vector: at(degrees),
});
const KNOTS: CalibrationKnots = [
  [0, 0],
  [0.5, 0.9],
  [1, 1],
];

describe('rankByBestReference', () => {
  test('names each identity once, by its closest reference', () => {
    const ranked = rankByBestReference(at(0), [of(1, 90), of(2, 30), of(1, 60), of(2, 80)], null);
    expect(ranked).toEqual([
      { identityId: 2, similarity: expect.closeTo(Math.sqrt(0.75), 6) },
      { identityId: 1, similarity: expect.closeTo(0.5, 6) },
    ]);
  });

  test('puts the lower id first where similarities are equal', () => {
    const ranked = rankByBestReference(at(0), [of(7, 40), of(3, 40), of(5, 40)], null);
    expect(ranked.map(({ identityId }) => identityId)).toEqual([3, 5, 7]);
  });

  test('calibrates', () => {
    expect(rankByBestReference(at(0), [of(1, 60)], KNOTS)[0]!.similarity).toBeCloseTo(0.9);
  });

  test('finds no candidate in an empty gallery', () => {
    expect(rankByBestReference(at(0), [], null)).toEqual([]);
  });

  test('refuses the references of another model', () => {
    const foreign = { identityId: 1, vector: new Float32Array(3) };
    expect(() => rankByBestReference(at(0), [foreign], null)).toThrow(RangeError);
  });

  test('is the best of all similarities of an identity, in falling order', () => {
    const gallery = fc.array(
      fc.record({ identityId: fc.integer({ min: 1, max: 5 }), degrees: fc.integer({ max: 360 }) }),
    );
    fc.assert(
      fc.property(gallery, fc.constantFrom(null, KNOTS), (entries, knots) => {
        const references = entries.map(({ identityId, degrees }) => of(identityId, degrees));
        const ranked = rankByBestReference(at(0), references, knots);
        const known = new Set(references.map(({ identityId }) => identityId));
        expect(ranked.map(({ identityId }) => identityId).sort()).toEqual([...known].sort());
        for (const [i, { identityId, similarity }] of ranked.entries()) {
          const all = references
            .filter((reference) => reference.identityId === identityId)
            .map(({ vector }) => calibrateSimilarity(cosineSimilarity(at(0), vector), knots));
          expect(similarity).toBe(Math.max(...all));
          expect(similarity).toBeLessThanOrEqual(ranked[i - 1]?.similarity ?? 1);
        }
      }),
    );
  });
});

describe('rankByMean', () => {
  test('ranks the means, ties by id, and calibrates', () => {
    const ranked = rankByMean(at(0), [of(9, 90), of(4, 60), of(2, 60)], KNOTS);
    expect(ranked).toEqual([
      { identityId: 2, similarity: expect.closeTo(0.9, 6) },
      { identityId: 4, similarity: expect.closeTo(0.9, 6) },
      { identityId: 9, similarity: expect.closeTo(0, 6) },
    ]);
  });
});
