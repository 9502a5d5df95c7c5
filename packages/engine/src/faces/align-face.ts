import { nearestTurn } from '@sightline/core/analysis/face-landmarks';
import type { Point } from '@sightline/core/analysis/geometry';
import type { QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import { mapFromTurned } from '../image/quarter-turn.ts';
import type { Raster } from '../image/raster.ts';
import { warpAffine } from '../kernels/warp-affine.ts';
import { applyAffine } from '../math/affine.ts';
import { similarityTransform } from '../math/similarity-transform.ts';
import type { Corners } from '../math/corners.ts';
import type { FaceCandidate } from './face-candidate.ts';

/**
 * The positions of eyes, nose and mouth corners that ArcFace networks expect in a 112x112 image.
 */
const TEMPLATE_112: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
];

/** The mean landmarks of an upright face as fractions of its box (measured). */
const MEAN_LANDMARKS: readonly Point[] = [
  { x: 0.28, y: 0.39 },
  { x: 0.72, y: 0.39 },
  { x: 0.5, y: 0.58 },
  { x: 0.32, y: 0.74 },
  { x: 0.68, y: 0.74 },
];

/**
 * Aligns a face for recognizers of the ArcFace family: rotates, scales and shifts the face so that
 * its landmarks come closest to the template (`norm_crop` of insightface). Without landmarks, or if
 * all landmarks are at one point, the mean landmarks of a face in the box are used, which is upright
 * unless `turned` says otherwise.
 *
 * @param side side of the result in pixels; {@link isAlignedSide} must accept it. At 128 the face
 *   keeps its size of 112, and the image shows more on the left and right.
 * @returns RGB, interleaved, side x side
 */
export function alignFace(
  raster: Raster,
  face: Pick<FaceCandidate, 'box' | 'landmarks'> & { readonly turned?: QuarterTurn },
  side: number,
): Uint8Array {
  const template = templateFor(side);
  const transform =
    (face.landmarks && similarityTransform(face.landmarks, template)) ??
    similarityTransform(meanLandmarks(face.box, face.turned ?? 0), template);
  if (transform === null) return new Uint8Array(3 * side * side);
  return warpAffine(raster, transform, { width: side, height: side });
}

export function isAlignedSide(side: number): boolean {
  return side % 112 === 0 || side % 128 === 0;
}

function templateFor(side: number): readonly Point[] {
  const margin = side % 112 === 0 ? 0 : 8;
  const scale = side / (112 + 2 * margin);
  return TEMPLATE_112.map(({ x, y }) => ({ x: (x + margin) * scale, y: y * scale }));
}

function meanLandmarks({ x1, y1, x2, y2 }: Corners, turned: QuarterTurn): readonly Point[] {
  const toBox = mapFromTurned({ width: 1, height: 1 }, nearestTurn(-turned));
  return MEAN_LANDMARKS.map((point) => {
    const { x, y } = applyAffine(toBox, point);
    return { x: x1 + x * (x2 - x1), y: y1 + y * (y2 - y1) };
  });
}
