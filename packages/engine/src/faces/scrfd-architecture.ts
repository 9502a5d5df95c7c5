import { letterbox } from '../math/letterbox.ts';
import { type FaceArchitecture, planFullFramePass, type SearchState } from './face-architecture.ts';
import { decodeScrfd } from './scrfd.ts';

/** The input size if neither the graph nor the pack sets one. */
const DEFAULT_SIZE = { width: 640, height: 640 };
const SMALL_SIDE = 192;

/**
 * Detects like the `SCRFD` class of insightface (Python), with an additional second pass for faces that fill the
 * frame.
 */
export const SCRFD: FaceArchitecture = {
  maxSide: () => Infinity,
  passes: [
    ({ sizes }: SearchState) => {
      const size = sizes.fixed ?? sizes.preferred ?? DEFAULT_SIZE;
      return { frame: { size, room: size } };
    },
    (search: SearchState) => planFullFramePass(search, SMALL_SIDE),
  ],
  fit: (image, { size, room }) => letterbox(image, size, room),
  decode: (outputs, input) =>
    decodeScrfd(
      outputs.map(({ data }) => data),
      input,
    ),
  nmsThreshold: 0.4,
  // The reference implementation counts edge pixels as part of the box.
  edge: 1,
};
