import { indicesFrom } from '../kernels/indices-from.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { FaceCandidate } from './face-candidate.ts';

const LANDMARKS = 5;

/**
 * The layout of the outputs, which depends on their number: first the scores of each stride, then the boxes of each
 * stride and, if there are three groups, the landmarks of each stride.
 */
interface ScrfdLayout {
  readonly strides: readonly number[];
  readonly hasLandmarks: boolean;
}

const LAYOUTS: Readonly<Record<number, ScrfdLayout>> = {
  6: { strides: [8, 16, 32], hasLandmarks: false },
  9: { strides: [8, 16, 32], hasLandmarks: true },
  10: { strides: [8, 16, 32, 64, 128], hasLandmarks: false },
  15: { strides: [8, 16, 32, 64, 128], hasLandmarks: true },
};

/** Returns the largest stride of a network with this number of outputs. */
export function scrfdStep(outputs: number): number {
  return LAYOUTS[outputs]?.strides.at(-1) ?? 1;
}

export interface ScrfdInput extends Size {
  /** The minimum score of a candidate, 0..1. */
  readonly threshold: number;
}

/**
 * Decodes the outputs of an SCRFD network (Guo et al., "Sample and Computation Redistribution for
 * Efficient Face Detection", 2021), as insightface exports them. Boxes and landmarks are distances
 * from an anchor's center in units of its stride. Each center has one or two anchors, depending on
 * the number of scores.
 *
 * @param outputs 6, 9, 10 or 15 arrays in the order of the graph
 * @param input size of the network's input in pixels, and the threshold
 * @returns candidates in pixels of the input, in the order of the outputs, before suppression
 * @throws RangeError if the outputs do not fit this architecture
 */
export function decodeScrfd(outputs: readonly Float32Array[], input: ScrfdInput): FaceCandidate[] {
  const layout = LAYOUTS[outputs.length];
  if (layout === undefined) {
    throw new RangeError(`An SCRFD network has 6, 9, 10 or 15 outputs, not ${outputs.length}.`);
  }
  const { strides, hasLandmarks } = layout;
  return strides.flatMap((stride, level) =>
    decodeLevel(
      {
        stride,
        scores: outputs[level]!,
        boxes: outputs[level + strides.length]!,
        landmarks: hasLandmarks ? outputs[level + 2 * strides.length]! : null,
      },
      input,
    ),
  );
}

interface ScrfdLevel {
  readonly stride: number;
  /** One score per anchor. */
  readonly scores: Float32Array;
  /** The distances to the left, top, right and bottom edge for each anchor. */
  readonly boxes: Float32Array;
  /** The x and y distances of the landmarks for each anchor. */
  readonly landmarks: Float32Array | null;
}

function decodeLevel(level: ScrfdLevel, input: ScrfdInput): FaceCandidate[] {
  const { stride, scores, boxes, landmarks } = level;
  const columns = Math.ceil(input.width / stride);
  const rows = Math.ceil(input.height / stride);
  const anchors = scores.length / (columns * rows);
  if (anchors !== 1 && anchors !== 2) {
    throw new RangeError(
      `An SCRFD network has 1 or 2 anchors at each of ${columns} x ${rows} centers, not ${scores.length} in total.`,
    );
  }
  const candidates: FaceCandidate[] = [];
  for (const i of indicesFrom(scores, input.threshold)) {
    // The kernel compares in single precision, so it may also find scores slightly below the
    // threshold.
    if (scores[i]! < input.threshold) continue;
    const center = Math.floor(i / anchors);
    const x = (center % columns) * stride;
    const y = Math.floor(center / columns) * stride;
    candidates.push({
      box: {
        x1: x - boxes[4 * i]! * stride,
        y1: y - boxes[4 * i + 1]! * stride,
        x2: x + boxes[4 * i + 2]! * stride,
        y2: y + boxes[4 * i + 3]! * stride,
      },
      score: scores[i]!,
      landmarks:
        landmarks &&
        Array.from({ length: LANDMARKS }, (_, point) => ({
          x: x + landmarks[2 * (LANDMARKS * i + point)]! * stride,
          y: y + landmarks[2 * (LANDMARKS * i + point) + 1]! * stride,
        })),
    });
  }
  return candidates;
}
