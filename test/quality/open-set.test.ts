import { describe, expect, test } from '@jest/globals';
import { measureOpenSet } from './open-set.ts';
import type { Sample } from './verification.ts';

/** A photo whose embedding points in this direction, in degrees. */
function photo(person: string, degrees: number | null): Sample {
  if (degrees === null) return { person, embedding: null };
  const angle = (degrees * Math.PI) / 180;
  return { person, embedding: Float32Array.of(Math.cos(angle), Math.sin(angle)) };
}

const EXACT = { thresholds: [0.5], draws: 30, calibrate: (cosine: number) => cosine };

describe('measureOpenSet', () => {
  test('identifies people who are alike only to themselves, and accepts no strangers', () => {
    const samples = ['Ann', 'Bob', 'Cas', 'Dot'].flatMap((person, i) => [
      photo(person, 90 * i),
      photo(person, 90 * i + 5),
    ]);
    expect(measureOpenSet(samples, { ...EXACT, enrolled: 2 })).toEqual([
      { threshold: 0.5, identified: 1, wrong: 0, accepted: 0 },
    ]);
  });

  test('takes a stranger for the one who is enrolled, unless the threshold is above', () => {
    const samples = [photo('Ann', 0), photo('Bob', 30), photo('Cas', 60)];
    const points = measureOpenSet(samples, { ...EXACT, enrolled: 2, thresholds: [0.5, 0.95] });
    expect(points).toEqual([
      { threshold: 0.5, identified: 0, wrong: 0, accepted: 1 },
      { threshold: 0.95, identified: 0, wrong: 0, accepted: 0 },
    ]);
  });

  test('names a photo wrongly if another person is closer', () => {
    // The second photo of each person looks like the other person.
    const samples = [photo('Ann', 0), photo('Ann', 40), photo('Bob', 40), photo('Bob', 0)];
    const [point] = measureOpenSet([...samples, photo('Cas', 180)], { ...EXACT, enrolled: 2 });
    expect(point!.wrong).toBeGreaterThan(0.3);
    expect(point!.identified + point!.wrong).toBeLessThanOrEqual(1);
  });

  test('compares the calibrated similarity', () => {
    const samples = [photo('Ann', 0), photo('Bob', 30)];
    const halved = { ...EXACT, enrolled: 1, calibrate: (cosine: number) => cosine / 2 };
    expect(measureOpenSet(samples, halved)[0]!.accepted).toBe(0);
    expect(measureOpenSet(samples, { ...EXACT, enrolled: 1 })[0]!.accepted).toBe(1);
  });

  test('a photo without a face matches no one', () => {
    const samples = [photo('Ann', 0), photo('Ann', null), photo('Bob', null)];
    const [point] = measureOpenSet(samples, { ...EXACT, enrolled: 1, thresholds: [-1] });
    expect(point).toEqual({ threshold: -1, identified: 0, wrong: 0, accepted: 0 });
  });

  test('answers the same every time', () => {
    const samples = Array.from({ length: 20 }, (_, i) => photo(`p${i % 7}`, 17 * i));
    const options = { ...EXACT, enrolled: 4, thresholds: [0.2, 0.5, 0.9] };
    expect(measureOpenSet(samples, options)).toEqual(measureOpenSet(samples, options));
  });
});
