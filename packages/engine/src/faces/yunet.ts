import type { Size } from '../math/resize-bilinear.ts';
import type { FaceCandidate } from './face-candidate.ts';

const STRIDES = [8, 16, 32] as const;
const LANDMARKS = 5;
/** The sides of the net's input are multiples of it: of the largest stride. */
export const YUNET_STEP = 32;

type Stride = (typeof STRIDES)[number];

/** What each output of a YuNet net is called: `cls_8`, `cls_16`, ... `kps_32`. */
export type YunetOutput = `${'cls' | 'obj' | 'bbox' | 'kps'}_${Stride}`;

/** How many values each kind of output has for a cell. */
export const YUNET_ROWS = { cls: 1, obj: 1, bbox: 4, kps: 2 * LANDMARKS } as const;

export const YUNET_OUTPUTS: readonly YunetOutput[] = (
  ['cls', 'obj', 'bbox', 'kps'] as const
).flatMap((kind) => STRIDES.map((stride) => `${kind}_${stride}` as const));

export interface YunetInput extends Size {
  /** Least score of a candidate, 0..1. */
  readonly threshold: number;
}

/**
 * Reads the candidates out of a YuNet net's outputs (Wu et al., "YuNet: A Tiny Millisecond-level
 * Face Detector", 2023; outputs as libfacedetection exports them for OpenCV's `FaceDetectorYN`).
 * There is one anchor to each cell of a stride: the score is the geometric mean of the class's and
 * the objectness, each taken as 0..1; centre and landmarks are offsets from the cell's upper left
 * corner in strides, the sides logarithms of strides.
 *
 * @param outputs by name, cells row by row
 * @param input size of the net's input in pixels, sides multiples of 32; and the threshold
 * @returns candidates in pixels of the input, those of the smallest stride first, overlapping ones
 *   too
 * @throws RangeError if the outputs are not those of such a net
 */
export function decodeYunet(
  outputs: Readonly<Partial<Record<string, Float32Array>>>,
  input: YunetInput,
): FaceCandidate[] {
  return STRIDES.flatMap((stride) => {
    const cells = (input.width / stride) * (input.height / stride);
    const read = (kind: keyof typeof YUNET_ROWS): Float32Array => {
      const values = outputs[`${kind}_${stride}`];
      if (values?.length !== cells * YUNET_ROWS[kind]) {
        throw new RangeError(
          `A YuNet net has ${cells} x ${YUNET_ROWS[kind]} values in ${kind}_${stride}, not ${values?.length ?? 'none'}.`,
        );
      }
      return values;
    };
    return decodeLevel(
      {
        stride,
        classScores: read('cls'),
        objectness: read('obj'),
        boxes: read('bbox'),
        landmarks: read('kps'),
      },
      input,
    );
  });
}

interface YunetLevel {
  readonly stride: Stride;
  /** One per cell, as the objectness. */
  readonly classScores: Float32Array;
  readonly objectness: Float32Array;
  /** Centre x and y, logarithm of width and height per cell. */
  readonly boxes: Float32Array;
  /** x, y of the landmarks per cell. */
  readonly landmarks: Float32Array;
}

function decodeLevel(level: YunetLevel, input: YunetInput): FaceCandidate[] {
  const { stride, classScores, objectness, boxes, landmarks } = level;
  const columns = input.width / stride;
  const candidates: FaceCandidate[] = [];
  for (let cell = 0; cell < classScores.length; cell++) {
    const score = Math.sqrt(toShare(classScores[cell]!) * toShare(objectness[cell]!));
    // Not `<`: a NaN of a broken net is no score.
    if (!(score >= input.threshold)) continue;
    const column = cell % columns;
    const row = Math.floor(cell / columns);
    const x = (column + boxes[4 * cell]!) * stride;
    const y = (row + boxes[4 * cell + 1]!) * stride;
    const halfWidth = (Math.exp(boxes[4 * cell + 2]!) * stride) / 2;
    const halfHeight = (Math.exp(boxes[4 * cell + 3]!) * stride) / 2;
    candidates.push({
      box: { x1: x - halfWidth, y1: y - halfHeight, x2: x + halfWidth, y2: y + halfHeight },
      score,
      landmarks: Array.from({ length: LANDMARKS }, (_, point) => ({
        x: (column + landmarks[2 * (LANDMARKS * cell + point)]!) * stride,
        y: (row + landmarks[2 * (LANDMARKS * cell + point) + 1]!) * stride,
      })),
    });
  }
  return candidates;
}

function toShare(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
