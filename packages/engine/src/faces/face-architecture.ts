import type { FitImage } from '../math/letterbox.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { FaceCandidate } from './face-candidate.ts';

/**
 * The input size of a network, and the upper left part of that input into which the image is
 * fitted. If the graph accepts any size, the input may be smaller: what the image leaves of it is
 * cut off.
 */
export interface Frame {
  readonly size: Size;
  readonly room: Size;
}

export interface InputSizes {
  /** The size that the graph fixes; null if the graph accepts any size. */
  readonly fixed: Size | null;
  /** The size that the pack sets; null if the architecture chooses. */
  readonly preferred: Size | null;
}

export interface FaceDetectionOptions {
  /** The minimum score, 0..1. */
  readonly threshold: number;
  /** Whether to run a low-resolution pass if no face scores above 0.6; see {@link planFullFramePass}. */
  readonly fullFramePass: boolean;
}

export interface SearchState {
  readonly image: Size;
  readonly sizes: InputSizes;
  readonly options: FaceDetectionOptions;
  /** The candidates of the passes so far, in pixels of the image, before suppression. */
  readonly found: readonly FaceCandidate[];
}

export interface Pass {
  readonly frame: Frame;
  /** The minimum score of this pass, if it is higher than the requested threshold. */
  readonly minScore?: number;
  /**
   * Filters the candidates of this pass, in pixels of the image. Without a filter, all candidates
   * are kept.
   */
  readonly accept?: (candidate: FaceCandidate) => boolean;
}

/** Plans one run of the network in a search for faces. Returns null if the search does not need the run. */
export type PlanPass = (search: SearchState) => Pass | null;

export interface NetOutput {
  readonly name: string;
  readonly data: Float32Array;
}

export interface FaceArchitecture {
  /** The maximum length of the image's longer side, in pixels. A larger image is shrunk to it before all passes. */
  readonly maxSide: (sizes: InputSizes) => number;
  /** The longer side, in pixels, of the largest input in which the network sees an image. */
  readonly inputSide: (sizes: InputSizes) => number;
  /** The passes, planned and run one after another on the image shrunk to `maxSide`. */
  readonly passes: readonly PlanPass[];
  /** Places an image in the network's input, with the same scale on both axes. */
  readonly fit: FitImage;
  /**
   * Returns the number of pixels of which the sides of the input have to be multiples, for a graph
   * with this number of outputs.
   */
  readonly step: (outputs: number) => number;
  /**
   * @param outputs outputs in the order of the graph
   * @param input size of the network's input in pixels, and the minimum score
   * @returns candidates in pixels of the input, before suppression
   * @throws RangeError if the outputs do not fit this architecture
   */
  readonly decode: (
    outputs: readonly NetOutput[],
    input: Size & { readonly threshold: number },
  ) => FaceCandidate[];
  /**
   * The score, 0..1, from which on a face is certainly upright. Networks also find faces that lie on their side or upside
   * down, but with lower scores and with the landmarks of an upright face.
   */
  readonly certainScore: number;
  /** The roll of a face in degrees up to which its landmarks are as exact as those of an upright face. */
  readonly exactRoll: number;
  /** The largest IoU, 0..1, that two kept faces may have. */
  readonly nmsThreshold: number;
  /**
   * The pixels to add to the right and lower edge of a box: 1 if its edge pixels belong to the box.
   */
  readonly edge: 0 | 1;
}

/** The full-frame pass is skipped if a face scores above this value. */
const FULL_FRAME_UP_TO = 0.6;

/**
 * Plans a pass for a face that fills the frame, because networks miss such a face at their usual
 * scale. If `fullFramePass` is set and no face has scored above 0.6, the pass searches the image
 * once more, fitted into a small square. The pass keeps a face only if both sides of its box are
 * longer than a third of the image's shorter side. A network with a fixed input size sees the small
 * image in the corner of its input. If its input is not larger than `side`, there is no full-frame
 * pass.
 */
export function planFullFramePass(
  { options, image, sizes, found }: SearchState,
  side: number,
): Pass | null {
  const isFound = found.some(({ score }) => score > FULL_FRAME_UP_TO);
  const largest = sizes.fixed ?? sizes.preferred;
  const inputIsLarger = largest === null || Math.min(largest.width, largest.height) > side;
  if (!options.fullFramePass || isFound || !inputIsLarger) return null;
  const minSide = Math.min(image.width, image.height) / 3;
  return {
    frame: smallFrame(sizes, side),
    accept: ({ box }) => Math.min(box.x2 - box.x1, box.y2 - box.y1) > minSide,
  };
}

/**
 * Returns a square frame for a small image. In a network of fixed size, the square is the upper
 * left corner of the input.
 */
export function smallFrame({ fixed }: InputSizes, side: number): Frame {
  const room = { width: side, height: side };
  return { size: fixed ?? room, room };
}
