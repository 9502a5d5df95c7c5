import { letterboxSmooth } from '../math/letterbox.ts';
import type { Size } from '../math/resize-bilinear.ts';
import {
  type FaceArchitecture,
  type Frame,
  fullFrameLook,
  type Pass,
  type Search,
} from './face-architecture.ts';
import type { Corners, FaceCandidate } from './face-candidate.ts';
import { decodeYunet, YUNET_STEP } from './yunet.ts';

/** Longer side that every picture is seen at, small ones enlarged. */
const USUAL_SIDE = 640;
/** Longer side that larger pictures are seen at for their small faces: the budget. */
const FINEST_SIDE = 1280;
/** Of a picture that is not so much larger than the usual side, a second look shows nothing new. */
const LEAST_GAIN = 1.5;
/** Shorter side in the usual look from which on a face was seen there. */
const SEEN_SIDE = 32;
/** Small faces are told from patterns less well: below this they are as often none. */
const LEAST_FINE_SCORE = 0.65;
/** Side of the small picture in which the net sees a face that fills it. */
const SMALL_SIDE = 320;

/**
 * As OpenCV's `FaceDetectorYN` does it, at sizes that follow the picture: at 640 the net sees faces
 * down to about 36 pixels of a picture of 1280, at 1280 down to about 24, but there it takes parts of
 * large faces for small ones. So large pictures are seen at both, and the fine look has a say in
 * small faces alone. A size that the graph or the pack fixes is one look at that size.
 */
export const YUNET: FaceArchitecture = {
  finestSide: (sizes) => (isSized(sizes) ? Infinity : FINEST_SIDE),
  looks: [usualLook, fineLook, lastLook],
  fit: (raster, { size, room }) => letterboxSmooth(raster, size, room),
  decode: (outputs, input) =>
    decodeYunet(Object.fromEntries(outputs.map(({ name, data }) => [name, data])), input),
  nmsThreshold: 0.3,
  edge: 0,
};

function usualLook({ picture, sizes }: Search): Pass {
  const size = sizes.fixed ?? sizes.wanted;
  return { frame: size === null ? frameFor(picture, USUAL_SIDE) : { size, room: size } };
}

function fineLook({ picture, sizes, found }: Search): Pass | null {
  const longer = Math.max(picture.width, picture.height);
  if (isSized(sizes) || longer < LEAST_GAIN * USUAL_SIDE) return null;
  const largest = (SEEN_SIDE * longer) / USUAL_SIDE;
  return {
    frame: frameFor(picture, longer),
    leastScore: LEAST_FINE_SCORE,
    counts: ({ box }) =>
      Math.min(box.x2 - box.x1, box.y2 - box.y1) <= largest && !isPartOf(box, found),
  };
}

function lastLook(search: Search): Pass | null {
  return isSized(search.sizes) ? null : fullFrameLook(search, SMALL_SIDE);
}

function isSized({ fixed, wanted }: Search['sizes']): boolean {
  return fixed !== null || wanted !== null;
}

/** The smallest input that holds the picture at this length of its longer side. */
function frameFor({ width, height }: Size, side: number): Frame {
  const scale = side / Math.max(width, height);
  return {
    size: { width: inputSide(width * scale), height: inputSide(height * scale) },
    room: { width: side, height: side },
  };
}

function inputSide(length: number): number {
  return YUNET_STEP * Math.max(1, Math.ceil(Math.round(length) / YUNET_STEP));
}

/** Whether most of a box lies within a face that is more than three times as large. */
function isPartOf(box: Corners, faces: readonly FaceCandidate[]): boolean {
  const area = areaOf(box);
  return faces.some((face) => {
    const width = Math.min(box.x2, face.box.x2) - Math.max(box.x1, face.box.x1);
    const height = Math.min(box.y2, face.box.y2) - Math.max(box.y1, face.box.y1);
    const inside = width > 0 && height > 0 && width * height > area / 2;
    return inside && areaOf(face.box) > 3 * area;
  });
}

function areaOf({ x1, y1, x2, y2 }: Corners): number {
  return (x2 - x1) * (y2 - y1);
}
