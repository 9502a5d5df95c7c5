import { describe, expect, test } from '@jest/globals';
import { rollOf } from '@sightline/core/analysis/face-landmarks';
import type { Point } from '@sightline/core/analysis/geometry';
import { CloseUps } from './close-ups.ts';
import type { FaceCandidate } from './face-candidate.ts';
import { CERTAIN, detectorOf, landmarksIn, portrait, turn } from './testing/turned-portrait.ts';
import {
  trustedLandmarks,
  turnedFace,
  turnedLandmarks,
  uprightLandmarks,
} from './upright-landmarks.ts';

const BOX = { x1: 70, y1: 65, x2: 130, y2: 135 };
const UPRIGHT = landmarksIn(BOX);
const asFound = (score: number) => ({ landmarks: UPRIGHT, square: null, score });

const closeUpsOf = (degrees: number, detector: Parameters<typeof detectorOf>[0] = {}) =>
  new CloseUps(detectorOf(detector), portrait(degrees));

const face = (score: number, landmarks: readonly Point[] = UPRIGHT): FaceCandidate => ({
  box: BOX,
  score,
  landmarks,
});

describe('uprightLandmarks', () => {
  test('costs nothing for a face of which the detector is certain', async () => {
    const detector = detectorOf();
    expect(await uprightLandmarks(new CloseUps(detector, portrait(0)), face(CERTAIN))).toEqual(
      asFound(CERTAIN),
    );
    expect(detector.seen).toEqual([]);
  });

  test('keeps the landmarks of an upright face of which the detector is not certain', async () => {
    const detector = detectorOf();
    expect(await uprightLandmarks(new CloseUps(detector, portrait(0)), face(0.7))).toEqual(
      // The score is that of the close-up.
      asFound(expect.closeTo(0.95, 2) as unknown as number),
    );
    expect(detector.seen).toHaveLength(1);
  });

  test.each([45, 90, 135, 180, -135, -90, -45])(
    'turns a face that was found upright although it is turned by %d degrees',
    async (degrees) => {
      const found = await uprightLandmarks(closeUpsOf(degrees), face(0.7));
      const difference = ((rollOf(found!.landmarks) - degrees + 540) % 360) - 180;
      expect(Math.abs(difference)).toBeLessThan(5);
    },
  );

  test('keeps plausible landmarks that no close-up improves', async () => {
    const detector = detectorOf({ finds: false });
    expect(await uprightLandmarks(new CloseUps(detector, portrait(0)), face(0.7))).toEqual(
      asFound(0.7),
    );
    const tilted = turn(UPRIGHT, 40, 100);
    expect(
      await uprightLandmarks(new CloseUps(detector, portrait(40)), face(0.95, tilted)),
    ).toEqual({
      landmarks: tilted,
      score: 0.95,
      square: null,
    });
  });

  test('returns null if neither the landmarks nor those of a close-up are plausible', async () => {
    const detector = detectorOf({ finds: false });
    const mirrored = face(0.95, UPRIGHT.toReversed());
    expect(await uprightLandmarks(new CloseUps(detector, portrait(0)), mirrored)).toBeNull();
    const onItsSide = face(0.95, turn(UPRIGHT, 90, 100));
    expect(await uprightLandmarks(new CloseUps(detector, portrait(90)), onItsSide)).toBeNull();
  });
});

test('a box is searched in all directions', async () => {
  for (const degrees of [90, 180, -90]) {
    const found = await turnedLandmarks(closeUpsOf(degrees), BOX);
    expect(Math.abs(rollOf(found!))).toBeCloseTo(Math.abs(degrees), -1);
  }
  expect(await turnedLandmarks(closeUpsOf(0, { finds: false }), BOX)).toBeNull();
});

describe('trustedLandmarks', () => {
  const landmarks = turn(UPRIGHT, 180, 100);

  test('keeps the landmarks of a turned face if a close-up confirms them', async () => {
    const detector = detectorOf();
    expect(
      await trustedLandmarks(new CloseUps(detector, portrait(180)), { box: BOX, landmarks }),
    ).toBe(landmarks);
    expect(detector.seen).toHaveLength(1);
    expect(
      await trustedLandmarks(closeUpsOf(180, { finds: false }), { box: BOX, landmarks }),
    ).toBeNull();
  });

  test('replaces implausible landmarks', async () => {
    const given = { box: BOX, landmarks: UPRIGHT.toReversed() };
    const found = await trustedLandmarks(closeUpsOf(180), given);
    expect(Math.abs(rollOf(found!))).toBeCloseTo(180, -1);
  });
});

describe('turnedFace', () => {
  test.each([45, -60, 90, 180])('finds a face that is turned by %d degrees', async (degrees) => {
    const found = await turnedFace(closeUpsOf(degrees), face(0.3));
    expect(found!.score).toBeGreaterThanOrEqual(CERTAIN);
    const difference = ((rollOf(found!.landmarks) - degrees + 540) % 360) - 180;
    expect(Math.abs(difference)).toBeLessThan(5);
    expect(found!.square.roll).toBeCloseTo(degrees, -1);
  });

  test('leaves an upright face with a low score below the threshold', async () => {
    const detector = detectorOf();
    expect(await turnedFace(new CloseUps(detector, portrait(0)), face(0.3))).toBeNull();
    expect(detector.seen).toHaveLength(1);
  });

  test('finds nothing where no close-up shows a face', async () => {
    expect(await turnedFace(closeUpsOf(60, { finds: false }), face(0.3))).toBeNull();
  });
});

describe('the close-ups of one image', () => {
  test.each([
    ['any size', 0, 600],
    ['640x640', 640, 50],
  ])('are limited in a network of %s', async (_, inputSide, limit) => {
    const detector = detectorOf({ finds: false, inputSide });
    const closeUps = new CloseUps(detector, portrait(0));
    const found = [];
    for (let i = 0; i < 100; i++) found.push(await uprightLandmarks(closeUps, face(0.7)));
    expect(detector.seen).toHaveLength(limit);
    // Each face is searched for in eight directions. The others have not been searched for, so they are not compared.
    const searched = Math.floor(limit / 8);
    expect(found.slice(0, searched)).toEqual(Array(searched).fill(asFound(0.7)));
    expect(found.slice(searched)).toEqual(Array(100 - searched).fill(null));
    expect(await uprightLandmarks(closeUps, face(CERTAIN))).toEqual(asFound(CERTAIN));
  });
});
