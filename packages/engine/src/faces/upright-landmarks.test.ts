import { describe, expect, test } from '@jest/globals';
import { rollOf } from '@sightline/core/analysis/face-landmarks';
import type { Point } from '@sightline/core/analysis/geometry';
import type { Raster } from '../image/raster.ts';
import type { FaceCandidate } from './face-candidate.ts';
import { turnRaster } from './testing/turn-raster.ts';
import { trustedLandmarks, turnedLandmarks, uprightLandmarks } from './upright-landmarks.ts';

const CERTAIN = 0.9;
const BOX = { x1: 70, y1: 65, x2: 130, y2: 135 };
const UPRIGHT = landmarksIn(BOX);

/** Usual landmarks of an upright face in a box. */
function landmarksIn({ x1, y1, x2, y2 }: FaceCandidate['box']): Point[] {
  return [
    [0.28, 0.39],
    [0.72, 0.39],
    [0.5, 0.58],
    [0.32, 0.74],
    [0.68, 0.74],
  ].map(([x, y]) => ({ x: x1 + x! * (x2 - x1), y: y1 + y! * (y2 - y1) }));
}

/** A "face": a square whose forehead is white, turned clockwise. */
function portrait(degrees: number): Raster {
  const data = new Uint8Array(3 * 200 * 200);
  for (let y = 70; y < 85; y++) data.fill(255, 3 * (200 * y + 85), 3 * (200 * y + 115));
  const { raster } = turnRaster({ data, width: 200, height: 200 }, degrees);
  const from = Math.floor((raster.width - 200) / 2);
  const middle = new Uint8Array(3 * 200 * 200);
  for (let y = 0; y < 200; y++) {
    const start = 3 * ((y + from) * raster.width + from);
    middle.set(raster.data.subarray(start, start + 600), 600 * y);
  }
  return { data: middle, width: 200, height: 200 };
}

/** Returns the direction of the white forehead from the middle of a square, clockwise in degrees from the top. */
function foreheadOf({ data, width }: Raster): number {
  let [x, y] = [0, 0];
  for (let i = 0; i < data.length; i += 3) {
    x += data[i]! * (((i / 3) % width) - width / 2);
    y += data[i]! * (Math.floor(i / 3 / width) - width / 2);
  }
  return (Math.atan2(x, -y) * 180) / Math.PI;
}

/**
 * A detector like those that were measured: it follows a roll up to 40 degrees. All other faces get the landmarks of an
 * upright face and a lower score.
 */
function detectorOf({ finds = true } = {}) {
  const seen: number[] = [];
  return {
    seen,
    limits: { certainScore: CERTAIN, exactRoll: 15 },
    closeUpSide: 192,
    detectInCloseUp: (square: Raster): Promise<FaceCandidate[]> => {
      const roll = foreheadOf(square);
      seen.push(Math.round(roll));
      if (!finds) return Promise.resolve([]);
      const follows = Math.abs(roll) <= 40;
      const side = square.width;
      const box = { x1: side / 5, y1: side / 6, x2: (4 * side) / 5, y2: (5 * side) / 6 };
      return Promise.resolve([
        {
          box,
          score: follows ? 0.95 - Math.abs(roll) / 1000 : 0.7,
          landmarks: turn(landmarksIn(box), follows ? 0.7 * roll : 0, side / 2),
        },
      ]);
    },
  };
}

function turn(points: readonly Point[], degrees: number, middle: number): Point[] {
  const angle = (degrees * Math.PI) / 180;
  return points.map(({ x, y }) => ({
    x: middle + Math.cos(angle) * (x - middle) - Math.sin(angle) * (y - middle),
    y: middle + Math.sin(angle) * (x - middle) + Math.cos(angle) * (y - middle),
  }));
}

const face = (score: number, landmarks: readonly Point[] = UPRIGHT): FaceCandidate => ({
  box: BOX,
  score,
  landmarks,
});

describe('uprightLandmarks', () => {
  test('costs nothing for a face of which the detector is certain', async () => {
    const detector = detectorOf();
    expect(await uprightLandmarks(detector, portrait(0), face(CERTAIN))).toBe(UPRIGHT);
    expect(detector.seen).toEqual([]);
  });

  test('keeps the landmarks of an upright face of which the detector is not certain', async () => {
    const detector = detectorOf();
    expect(await uprightLandmarks(detector, portrait(0), face(0.7))).toBe(UPRIGHT);
    expect(detector.seen).toHaveLength(1);
  });

  test.each([45, 90, 135, 180, -135, -90, -45])(
    'turns a face that was found upright although it is turned by %d degrees',
    async (degrees) => {
      const found = await uprightLandmarks(detectorOf(), portrait(degrees), face(0.7));
      const difference = ((rollOf(found!) - degrees + 540) % 360) - 180;
      expect(Math.abs(difference)).toBeLessThan(5);
    },
  );

  test('keeps plausible landmarks that no close-up improves', async () => {
    const detector = detectorOf({ finds: false });
    expect(await uprightLandmarks(detector, portrait(0), face(0.7))).toBe(UPRIGHT);
    const tilted = turn(UPRIGHT, 40, 100);
    expect(await uprightLandmarks(detector, portrait(40), face(0.95, tilted))).toBe(tilted);
  });

  test('returns null if neither the landmarks nor those of a close-up are plausible', async () => {
    const detector = detectorOf({ finds: false });
    const mirrored = face(0.95, UPRIGHT.toReversed());
    expect(await uprightLandmarks(detector, portrait(0), mirrored)).toBeNull();
    const onItsSide = face(0.95, turn(UPRIGHT, 90, 100));
    expect(await uprightLandmarks(detector, portrait(90), onItsSide)).toBeNull();
  });
});

test('a box is searched in all directions', async () => {
  for (const degrees of [90, 180, -90]) {
    const found = await turnedLandmarks(detectorOf(), portrait(degrees), BOX);
    expect(Math.abs(rollOf(found!))).toBeCloseTo(Math.abs(degrees), -1);
  }
  expect(await turnedLandmarks(detectorOf({ finds: false }), portrait(0), BOX)).toBeNull();
});

describe('trustedLandmarks', () => {
  const landmarks = turn(UPRIGHT, 180, 100);

  test('keeps the landmarks of a turned face if a close-up confirms them', async () => {
    const detector = detectorOf();
    expect(await trustedLandmarks(detector, portrait(180), { box: BOX, landmarks })).toBe(
      landmarks,
    );
    expect(detector.seen).toHaveLength(1);
    expect(
      await trustedLandmarks(detectorOf({ finds: false }), portrait(180), { box: BOX, landmarks }),
    ).toBeNull();
  });

  test('replaces implausible landmarks', async () => {
    const given = { box: BOX, landmarks: UPRIGHT.toReversed() };
    const found = await trustedLandmarks(detectorOf(), portrait(180), given);
    expect(Math.abs(rollOf(found!))).toBeCloseTo(180, -1);
  });
});
