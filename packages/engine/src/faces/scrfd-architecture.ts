import { letterbox } from '../math/letterbox.ts';
import type { Size } from '../math/resize-bilinear.ts';
import {
  type FaceArchitecture,
  type InputSizes,
  planFullFramePass,
  type SearchState,
} from './face-architecture.ts';
import { decodeScrfd, scrfdStep } from './scrfd.ts';

/** The input size if neither the graph nor the pack sets one. */
const DEFAULT_SIZE = { width: 640, height: 640 };
const SMALL_SIDE = 192;

/**
 * Detects like the `SCRFD` class of insightface (Python), with an additional second pass for faces that fill the
 * frame.
 */
export const SCRFD: FaceArchitecture = {
  maxSide: () => Infinity,
  inputSide: (sizes) => {
    const { width, height } = inputSize(sizes);
    return Math.max(width, height);
  },
  passes: [
    ({ sizes }: SearchState) => {
      const size = inputSize(sizes);
      return { frame: { size, room: size } };
    },
    (search: SearchState) => planFullFramePass(search, SMALL_SIDE),
  ],
  fit: letterbox,
  step: scrfdStep,
  decode: (outputs, input) =>
    decodeScrfd(
      outputs.map(({ data }) => data),
      input,
    ),
  certainScore: 0.78,
  exactRoll: 25,
  nmsThreshold: 0.4,
  // The reference implementation counts edge pixels as part of the box.
  edge: 1,
};

function inputSize({ fixed, preferred }: InputSizes): Size {
  return fixed ?? preferred ?? DEFAULT_SIZE;
}
