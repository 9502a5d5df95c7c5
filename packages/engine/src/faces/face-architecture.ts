import type { Raster } from '../image/raster.ts';
import type { Letterbox } from '../math/letterbox.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { FaceCandidate } from './face-candidate.ts';

/** Size of the net's input, and the upper left part of it that a picture is fitted into. */
export interface Frame {
  readonly size: Size;
  readonly room: Size;
}

/** What is said about the size of a net's input. */
export interface InputSizes {
  /** By the graph; null: it takes any size. */
  readonly fixed: Size | null;
  /** By the pack; null: it leaves the choice to the architecture. */
  readonly wanted: Size | null;
}

export interface FaceDetectionOptions {
  /** Least score, 0..1. */
  readonly threshold: number;
  /** Look a last time at low resolution if no face is sure; see {@link fullFrameLook}. */
  readonly fullFramePass: boolean;
}

/** How far the search through a picture has come. */
export interface Search {
  /** Of the picture in pixels. */
  readonly picture: Size;
  readonly sizes: InputSizes;
  readonly options: FaceDetectionOptions;
  /** Candidates of the looks so far, in pixels of the picture, overlapping ones too. */
  readonly found: readonly FaceCandidate[];
}

/** One run of the net over a picture. */
export interface Pass {
  readonly frame: Frame;
  /** Least score where it is higher than the one asked for. */
  readonly leastScore?: number;
  /** Which candidates of this pass count, in pixels of the picture; absent: all. */
  readonly counts?: (candidate: FaceCandidate) => boolean;
}

/** A pass that is run if the search needs it; null: it does not. */
export type Look = (search: Search) => Pass | null;

export interface NetOutput {
  readonly name: string;
  readonly data: Float32Array;
}

/** What sets a family of face detectors apart from others. */
export interface FaceArchitecture {
  /** Length of the longer side, in pixels, beyond which no look sees more of a picture. */
  readonly finestSide: (sizes: InputSizes) => number;
  /** One after the other over each picture, which is shrunk to the finest side before. */
  readonly looks: readonly Look[];
  readonly fit: (raster: Raster, frame: Frame) => Letterbox;
  /**
   * @param outputs in the order of the graph
   * @param input size of the net's input and the least score
   * @returns candidates in pixels of the input, overlapping ones too
   * @throws RangeError if the outputs are not those of such a net
   */
  readonly decode: (
    outputs: readonly NetOutput[],
    input: Size & { readonly threshold: number },
  ) => FaceCandidate[];
  /** Of two faces that overlap by more than this IoU, 0..1, the better one stays. */
  readonly nmsThreshold: number;
  /** By how many pixels a box is larger than the difference of its corners: 1 where edges count. */
  readonly edge: 0 | 1;
}

/** A first look that finds a face above this score needs no last one. */
const SURE_SCORE = 0.6;

/**
 * At the usual scale nets miss a face that fills the frame. If `fullFramePass` is set and there is
 * no face above 0.6 so far, the picture is looked at once more, fitted into a small square; faces
 * of that pass count only if both sides of their box are longer than a third of the picture's
 * shorter side. A net of fixed size sees the small picture in the corner of its input; one whose
 * input is not larger than that gets no such pass.
 */
export function fullFrameLook(
  { options, picture, sizes, found }: Search,
  side: number,
): Pass | null {
  const sure = found.some(({ score }) => score > SURE_SCORE);
  const largest = sizes.fixed ?? sizes.wanted;
  const roomy = largest === null || Math.min(largest.width, largest.height) > side;
  if (!options.fullFramePass || sure || !roomy) return null;
  const least = Math.min(picture.width, picture.height) / 3;
  return {
    frame: smallFrame(sizes, side),
    counts: ({ box }) => Math.min(box.x2 - box.x1, box.y2 - box.y1) > least,
  };
}

/** A square for small pictures; a net of fixed size has them in the corner of its input. */
export function smallFrame({ fixed }: InputSizes, side: number): Frame {
  const room = { width: side, height: side };
  return { size: fixed ?? room, room };
}
