import type { Fit } from '../math/fit.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { FaceCandidate } from './face-candidate.ts';

/** Input size of the network, and its upper left part that the image is fitted into. */
export interface Frame {
  readonly size: Size;
  readonly room: Size;
}

/** Constraints on the network's input size. */
export interface InputSizes {
  /** Fixed by the graph; null if the graph takes any size. */
  readonly fixed: Size | null;
  /** Set by the pack; null if the architecture chooses. */
  readonly preferred: Size | null;
}

export interface FaceDetectionOptions {
  /** Minimum score, 0..1. */
  readonly threshold: number;
  /** Run a low-resolution pass if no face is certain; see {@link planFullFramePass}. */
  readonly fullFramePass: boolean;
}

/** State of the search through one image. */
export interface SearchState {
  /** The size of the image in pixels. */
  readonly image: Size;
  readonly sizes: InputSizes;
  readonly options: FaceDetectionOptions;
  /** Candidates of the passes so far, in pixels of the image, before suppression. */
  readonly found: readonly FaceCandidate[];
}

/** One run of the network over an image. */
export interface Pass {
  readonly frame: Frame;
  /** Minimum score of this pass, if it is higher than the requested threshold. */
  readonly minScore?: number;
  /** Filters the candidates of this pass (in pixels of the image); absent: all are kept. */
  readonly accept?: (candidate: FaceCandidate) => boolean;
}

/** Plans a pass; null if the search does not need it. */
export type PlanPass = (search: SearchState) => Pass | null;

export interface NetOutput {
  readonly name: string;
  readonly data: Float32Array;
}

/** How a family of face detectors is run and decoded. */
export interface FaceArchitecture {
  /** Longer side of the image, in pixels, that the finest pass uses. */
  readonly maxSide: (sizes: InputSizes) => number;
  /** Planned and run one after the other. The image is first shrunk to `maxSide`. */
  readonly passes: readonly PlanPass[];
  /** Fits an image of a size into the network's input; both axes have the same scale. */
  readonly fit: (image: Size, frame: Frame) => Fit;
  /**
   * @param outputs in the order of the graph
   * @param input size of the network's input in pixels, and the minimum score
   * @returns candidates in pixels of the input, before suppression
   * @throws RangeError if the outputs do not fit this architecture
   */
  readonly decode: (
    outputs: readonly NetOutput[],
    input: Size & { readonly threshold: number },
  ) => FaceCandidate[];
  /** Largest IoU, 0..1, that two kept faces may have. */
  readonly nmsThreshold: number;
  /** Added to the right and lower edge of a box: 1 if edge pixels belong to the box. */
  readonly edge: 0 | 1;
}

/** No full-frame pass is run if a face scores above this. */
const CERTAIN_SCORE = 0.6;

/**
 * At their usual scale, networks miss a face that fills the frame. If `fullFramePass` is set and no
 * face scored above 0.6 so far, the image is searched once more, fitted into a small square. Faces
 * of that pass are kept only if both sides of their box are longer than a third of the image's
 * shorter side. A network with a fixed input size sees the small image in the corner of its input;
 * if its input is not larger than `side`, there is no such pass.
 */
export function planFullFramePass(
  { options, image, sizes, found }: SearchState,
  side: number,
): Pass | null {
  const certain = found.some(({ score }) => score > CERTAIN_SCORE);
  const largest = sizes.fixed ?? sizes.preferred;
  const inputIsLarger = largest === null || Math.min(largest.width, largest.height) > side;
  if (!options.fullFramePass || certain || !inputIsLarger) return null;
  const minSide = Math.min(image.width, image.height) / 3;
  return {
    frame: smallFrame(sizes, side),
    accept: ({ box }) => Math.min(box.x2 - box.x1, box.y2 - box.y1) > minSide,
  };
}

/** A square for small images; in a network of fixed size it is the corner of the input. */
export function smallFrame({ fixed }: InputSizes, side: number): Frame {
  const room = { width: side, height: side };
  return { size: fixed ?? room, room };
}
