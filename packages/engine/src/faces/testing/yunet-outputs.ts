import type { Point } from '@sightline/core/analysis/geometry';
import type { Size } from '../../math/resize-bilinear.ts';
import { YUNET_ROWS } from '../yunet.ts';

/** A face to write into the outputs of a YuNet network, with lengths in pixels of its input. */
export interface YunetFace {
  readonly stride: 8 | 16 | 32;
  /** The center of the face. The face is written into the cell that contains this point. */
  readonly center: Point;
  readonly width: number;
  readonly height: number;
  readonly classScore: number;
  readonly objectness: number;
  /** The landmarks relative to the center; default: all at the center. */
  readonly landmarks?: readonly Point[];
}

/** Makes the outputs, keyed by name, of a YuNet network that detects exactly these faces. */
export function yunetOutputs(
  size: Size,
  faces: readonly YunetFace[],
): Record<string, Float32Array> {
  const outputs: Record<string, Float32Array> = {};
  for (const stride of [8, 16, 32]) {
    const cells = (size.width / stride) * (size.height / stride);
    for (const [kind, length] of Object.entries(YUNET_ROWS)) {
      outputs[`${kind}_${stride}`] = new Float32Array(cells * length);
    }
  }
  for (const face of faces) {
    const { stride, center, landmarks = Array<Point>(5).fill({ x: 0, y: 0 }) } = face;
    const column = Math.floor(center.x / stride);
    const row = Math.floor(center.y / stride);
    const cell = row * (size.width / stride) + column;
    const offset = ({ x, y }: Point) => [x / stride - column, y / stride - row];
    const sides = [face.width, face.height].map((side) => Math.log(side / stride));
    outputs[`cls_${stride}`]![cell] = face.classScore;
    outputs[`obj_${stride}`]![cell] = face.objectness;
    outputs[`bbox_${stride}`]!.set([...offset(center), ...sides], 4 * cell);
    const points = landmarks.flatMap(({ x, y }) => offset({ x: center.x + x, y: center.y + y }));
    outputs[`kps_${stride}`]!.set(points, 10 * cell);
  }
  return outputs;
}
