import { indicesFrom } from '../kernels/indices-from.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { FloatTensor } from '../onnx/session.ts';
import type { ObjectCandidate } from './object-candidate.ts';

/** The two outputs of a network, both over the same grid of cells, row by row. */
export interface CenternetOutputs {
  /** [1, classes, rows, columns]: the score, 0..1, of an object of a class centered in the cell. */
  readonly scores: FloatTensor;
  /**
   * [1, 4, rows, columns]: the distances to the left, upper, right and lower edge, in input pixels.
   */
  readonly edges: FloatTensor;
}

/**
 * Decodes the head of MobileNetV3-CenterNet (github.com/610265158/mobilenetv3_centernet), exported
 * without its own search for peaks. A cell is the center of an object of a class if none of its
 * eight neighbors scores higher for that class.
 *
 * @param options threshold: scores must exceed it, 0..1; size: size of the network's input in
 *   pixels
 * @throws RangeError if the outputs have other shapes
 */
export function decodeCenternet(
  { scores, edges }: CenternetOutputs,
  { threshold, size }: { readonly threshold: number; readonly size: Size },
): ObjectCandidate[] {
  const { classes, rows, columns } = gridOf(scores, edges);
  const cells = rows * columns;
  const candidates: ObjectCandidate[] = [];
  for (let classId = 0; classId < classes; classId++) {
    const plane = scores.data.subarray(classId * cells, (classId + 1) * cells);
    for (const cell of indicesFrom(plane, threshold)) {
      const score = plane[cell]!;
      if (!(score > threshold) || !isPeak(plane, cell, columns)) continue;
      const x = ((cell % columns) * size.width) / columns;
      const y = (Math.floor(cell / columns) * size.height) / rows;
      const edge = (side: number) => edges.data[side * cells + cell]!;
      const box = { x1: x - edge(0), y1: y - edge(1), x2: x + edge(2), y2: y + edge(3) };
      // The network may predict an edge beyond the opposite edge. Such a box has no area and is dropped.
      if (box.x2 > box.x1 && box.y2 > box.y1) candidates.push({ ...box, score, classId });
    }
  }
  return candidates;
}

function gridOf({ dims: scores }: FloatTensor, { dims: edges }: FloatTensor) {
  const [batch, classes = 0, rows = 0, columns = 0] = scores;
  const fitting = edges.join() === [1, 4, rows, columns].join();
  if (scores.length !== 4 || batch !== 1 || classes < 1 || !fitting) {
    throw new RangeError(
      `A CenterNet head cannot have the shapes [${scores.join(', ')}] and [${edges.join(', ')}].`,
    );
  }
  return { classes, rows, columns };
}

function isPeak(plane: Float32Array, cell: number, columns: number): boolean {
  const column = cell % columns;
  const first = column === 0 ? 0 : -1;
  const last = column === columns - 1 ? 0 : 1;
  for (const start of [cell - columns, cell, cell + columns]) {
    // Values above the first or below the last row are undefined, so the comparison is false.
    for (let step = first; step <= last; step++)
      if (plane[start + step]! > plane[cell]!) return false;
  }
  return true;
}
