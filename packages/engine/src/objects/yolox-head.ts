import type { Size } from '../math/resize-bilinear.ts';
import type { FloatTensor } from '../onnx/session.ts';
import type { ObjectCandidate } from './object-candidate.ts';
import { decodeRows } from './yolo-v5-head.ts';

const STRIDES = [8, 16, 32];

/**
 * Decodes the head of YOLOX exported without `decode_in_inference`. Boxes are relative to their
 * cells: center = (cell + offset) * stride, side = exp(value) * stride. Scores are after the
 * sigmoid.
 *
 * @param output [1, cells, 5 + classes], rows as for YOLOv5. The cells of stride 8 come first, row
 *   by row, then the cells of strides 16 and 32.
 * @param options threshold: scores must exceed it, 0..1; size: size of the network's input in
 *   pixels
 * @throws RangeError if the output has another shape
 */
export function decodeYolox(
  output: FloatTensor,
  { threshold, size }: { readonly threshold: number; readonly size: Size },
): ObjectCandidate[] {
  const cells = gridCells(size);
  if (output.dims[1] !== cells.length) {
    throw new RangeError(
      `A YOLOX head for ${size.width}x${size.height} has ${cells.length} cells, not ${output.dims[1]}.`,
    );
  }
  return decodeRows(output, threshold, ([x, y, width, height], row) => {
    const cell = cells[row]!;
    return [
      (cell.column + x) * cell.stride,
      (cell.row + y) * cell.stride,
      Math.exp(width) * cell.stride,
      Math.exp(height) * cell.stride,
    ];
  });
}

interface Cell {
  readonly column: number;
  readonly row: number;
  readonly stride: number;
}

function gridCells({ width, height }: Size): Cell[] {
  return STRIDES.flatMap((stride) => {
    const columns = Math.ceil(width / stride);
    const rows = Math.ceil(height / stride);
    return Array.from({ length: columns * rows }, (_, index) => ({
      column: index % columns,
      row: Math.floor(index / columns),
      stride,
    }));
  });
}
