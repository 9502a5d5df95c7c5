import type { Size } from '../math/resize-bilinear.ts';
import type { FaceCandidate } from './face-candidate.ts';

const STRIDES = [8, 16, 32] as const;
const LANDMARKS = 5;
/** The sides of the network's input are multiples of this number, the largest stride. */
export const YUNET_STEP = 32;

type Stride = (typeof STRIDES)[number];

/** The name of an output of a YuNet network: `cls_8`, `cls_16`, ... `kps_32`. */
export type YunetOutput = `${'cls' | 'obj' | 'bbox' | 'kps'}_${Stride}`;

export const YUNET_ROWS = { cls: 1, obj: 1, bbox: 4, kps: 2 * LANDMARKS } as const;

export const YUNET_OUTPUTS: readonly YunetOutput[] = (
  ['cls', 'obj', 'bbox', 'kps'] as const
).flatMap((kind) => STRIDES.map((stride) => `${kind}_${stride}` as const));

export interface YunetInput extends Size {
  /** The minimum score of a candidate, 0..1. */
  readonly threshold: number;
}

/**
 * Decodes the outputs of a YuNet network (Wu et al., "YuNet: A Tiny Millisecond-level Face
 * Detector", 2023), as libfacedetection exports them for OpenCV's `FaceDetectorYN`. Each cell of a
 * stride has one anchor. The score is the geometric mean of the class score and the objectness,
 * both clamped to 0..1. Center and landmarks are offsets from the cell's upper left corner in units
 * of the stride. The sides are logarithms of lengths in that unit.
 *
 * @param outputs outputs by name, cells row by row
 * @param input size of the network's input in pixels (sides are multiples of 32), and the threshold
 * @returns candidates in pixels of the input, smallest stride first, before suppression
 * @throws RangeError if the outputs do not fit this architecture
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
          `A YuNet network has ${cells} x ${YUNET_ROWS[kind]} values in ${kind}_${stride}, not ${values?.length ?? 'none'}.`,
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
  /** One score per cell, like the objectness. */
  readonly classScores: Float32Array;
  readonly objectness: Float32Array;
  /** The center's x and y and the logarithms of width and height for each cell. */
  readonly boxes: Float32Array;
  /** The x and y of the landmarks for each cell. */
  readonly landmarks: Float32Array;
}

function decodeLevel(level: YunetLevel, input: YunetInput): FaceCandidate[] {
  const { stride, classScores, objectness, boxes, landmarks } = level;
  const columns = input.width / stride;
  const candidates: FaceCandidate[] = [];
  for (let cell = 0; cell < classScores.length; cell++) {
    const score = Math.sqrt(clampToUnit(classScores[cell]!) * clampToUnit(objectness[cell]!));
    // The comparison is negated so that a NaN from a broken network is not accepted as a score.
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

function clampToUnit(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
