import { expect, test } from '@jest/globals';
import { measureRankOne } from './identification.ts';
import type { Sample } from './verification.ts';

/** One person's photos, as unit vectors at these angles; null for a photo without a face. */
const photosOf = (person: string, ...degrees: (number | null)[]): Sample[] =>
  degrees.map((angle) => ({
    person,
    embedding:
      angle === null
        ? null
        : Float32Array.of(Math.cos((angle / 180) * Math.PI), Math.sin((angle / 180) * Math.PI)),
  }));

test('every choice of enrolled photos is tried', () => {
  const samples = [...photosOf('A', 0, 1, 2), ...photosOf('B', 90, 91, 92)];
  expect(measureRankOne(samples, 1)).toEqual({ probes: 12, right: 12 });
  expect(measureRankOne(samples, 2)).toEqual({ probes: 6, right: 6 });
});

test('the closest of several enrolled photos counts', () => {
  // Both later photos of A are closer to B than to A's first photo, so recognizing them needs a
  // second enrolled photo of A.
  const samples = [...photosOf('A', 0, 85, 84), ...photosOf('B', 90, 89, 91)];
  expect(measureRankOne(samples, 1)).toEqual({ probes: 12, right: 10 });
  expect(measureRankOne(samples, 2)).toEqual({ probes: 6, right: 6 });
});

test('a photo without a face is not recognized, and matches no one', () => {
  const samples = [...photosOf('A', 0, null), ...photosOf('B', 90, 91)];
  expect(measureRankOne(samples, 1)).toEqual({ probes: 4, right: 2 });
});

test('other samples are looked up among the enrolled ones', () => {
  const samples = [...photosOf('A', 0, 1), ...photosOf('B', 90, 91)];
  // The second photo of A is closer to B when it is looked up, and one of B has no face.
  const lookedUp = [...photosOf('A', 10, 80), ...photosOf('B', null, 70)];
  expect(measureRankOne(samples, 1, samples)).toEqual({ probes: 4, right: 4 });
  expect(measureRankOne(samples, 1, lookedUp)).toEqual({ probes: 4, right: 2 });
});
