import type { Point } from '@sightline/core/analysis/geometry';
import type { Raster } from '../../image/raster.ts';
import type { FaceCandidate } from '../face-candidate.ts';
import { turnRaster } from './turn-raster.ts';

export const CERTAIN = 0.9;

/** Usual landmarks of an upright face in a box. */
export function landmarksIn({ x1, y1, x2, y2 }: FaceCandidate['box']): Point[] {
  return [
    [0.28, 0.39],
    [0.72, 0.39],
    [0.5, 0.58],
    [0.32, 0.74],
    [0.68, 0.74],
  ].map(([x, y]) => ({ x: x1 + x! * (x2 - x1), y: y1 + y! * (y2 - y1) }));
}

/** A "face": a square whose forehead is white, turned clockwise. */
export function portrait(degrees: number): Raster {
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
 * upright face and a lower score. It notes the roll of the face in each close-up.
 *
 * @param inputSide the side of the network's input if it is fixed
 */
export function detectorOf({ finds = true, inputSide = 0 } = {}) {
  const seen: number[] = [];
  return {
    seen,
    limits: { certainScore: CERTAIN, exactRoll: 15 },
    closeUpSide: 192,
    closeUpPixels: (side: number) => inputSide ** 2 || side ** 2,
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

export function turn(points: readonly Point[], degrees: number, middle: number): Point[] {
  const angle = (degrees * Math.PI) / 180;
  return points.map(({ x, y }) => ({
    x: middle + Math.cos(angle) * (x - middle) - Math.sin(angle) * (y - middle),
    y: middle + Math.sin(angle) * (x - middle) + Math.cos(angle) * (y - middle),
  }));
}
