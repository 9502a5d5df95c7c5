import { letterboxSmooth } from '../math/letterbox.ts';
import {
  type FaceArchitecture,
  type Frame,
  planFullFramePass,
  type Pass,
  type SearchState,
} from './face-architecture.ts';
import { isPartOf } from './face-candidate.ts';
import { decodeYunet, YUNET_STEP } from './yunet.ts';

/** The longer side, in pixels, of every image in the base pass. Small images are enlarged. */
const BASE_SIDE = 640;
/**
 * The longer side, in pixels, of large images in the fine pass. The limit bounds the cost of that
 * pass.
 */
const MAX_SIDE = 1280;
/**
 * The smallest enlargement over the base pass for which the fine pass runs. At a smaller
 * enlargement, the fine pass finds nothing new.
 */
const MIN_GAIN = 1.5;
/**
 * The maximum shorter side, in pixels of the base pass, of a face that the fine pass may add. The base pass finds
 * larger faces itself.
 */
const BASE_FACE_SIDE = 32;
/**
 * The minimum score in the fine pass. Small faces are easily confused with patterns, and below this
 * score half of the candidates are not faces.
 */
const MIN_FINE_SCORE = 0.65;
const SMALL_SIDE = 320;

/**
 * The detector of OpenCV's `FaceDetectorYN`, run at sizes that depend on the image. In an image of
 * 1280 pixels, the network finds faces down to about 36 pixels if it sees the image at 640, and
 * down to about 24 if it sees the image at 1280. At 1280, however, the network also mistakes parts
 * of large faces for small faces. Large images are therefore searched at both sizes, and the fine
 * pass only adds small faces. If the graph or the pack fixes a size, there is one pass at that
 * size.
 */
export const YUNET: FaceArchitecture = {
  maxSide: (sizes) => (hasFixedSize(sizes) ? Infinity : MAX_SIDE),
  inputSide: ({ fixed, preferred }) => {
    const { width, height } = fixed ?? preferred ?? { width: MAX_SIDE, height: MAX_SIDE };
    return Math.max(width, height);
  },
  passes: [planBasePass, planFinePass, planLastPass],
  fit: letterboxSmooth,
  step: () => YUNET_STEP,
  decode: (outputs, input) =>
    decodeYunet(Object.fromEntries(outputs.map(({ name, data }) => [name, data])), input),
  certainScore: 0.9,
  exactRoll: 15,
  nmsThreshold: 0.3,
  edge: 0,
};

function planBasePass({ sizes }: SearchState): Pass {
  const size = sizes.fixed ?? sizes.preferred;
  return { frame: size === null ? frameOf(BASE_SIDE) : { size, room: size } };
}

function planFinePass({ image, sizes, found }: SearchState): Pass | null {
  const longer = Math.max(image.width, image.height);
  if (hasFixedSize(sizes) || longer < MIN_GAIN * BASE_SIDE) return null;
  const maxFaceSide = (BASE_FACE_SIDE * longer) / BASE_SIDE;
  return {
    frame: frameOf(longer),
    minScore: MIN_FINE_SCORE,
    accept: ({ box }) =>
      Math.min(box.x2 - box.x1, box.y2 - box.y1) <= maxFaceSide && !isPartOf(box, found),
  };
}

function planLastPass(search: SearchState): Pass | null {
  return hasFixedSize(search.sizes) ? null : planFullFramePass(search, SMALL_SIDE);
}

function hasFixedSize({ fixed, preferred }: SearchState['sizes']): boolean {
  return fixed !== null || preferred !== null;
}

/** Returns a frame in which the longer side of an image has this length. */
function frameOf(side: number): Frame {
  const padded = YUNET_STEP * Math.ceil(side / YUNET_STEP);
  return { size: { width: padded, height: padded }, room: { width: side, height: side } };
}
