import type { Size } from '../math/resize-bilinear.ts';
import type { FloatTensor } from '../onnx/session.ts';
import type { ObjectCandidate } from './object-candidate.ts';

/** The two outputs of a net, both over one grid of cells, line by line. */
export interface CenternetOutputs {
  /** [1, classes, lines, columns]: how surely an object of a class has its centre there, 0..1. */
  readonly scores: FloatTensor;
  /** [1, 4, lines, columns]: from there to the left, upper, right and lower edge, in input pixels. */
  readonly edges: FloatTensor;
}

/**
 * Decodes the head of MobileNetV3-CenterNet (github.com/610265158/mobilenetv3_centernet), cut before
 * its own search for maxima. A cell is the centre of an object of a class if no neighbour, of eight,
 * scores higher for that class.
 *
 * @param options threshold: a score has to be above it, 0..1; size: of the net's input in pixels
 * @throws RangeError if the outputs have other shapes
 */
export function decodeCenternet(
  { scores, edges }: CenternetOutputs,
  { threshold, size }: { readonly threshold: number; readonly size: Size },
): ObjectCandidate[] {
  const { classes, lines, columns } = gridOf(scores, edges);
  const cells = lines * columns;
  const candidates: ObjectCandidate[] = [];
  for (let classId = 0; classId < classes; classId++) {
    const plane = scores.data.subarray(classId * cells, (classId + 1) * cells);
    for (let cell = 0; cell < cells; cell++) {
      const score = plane[cell]!;
      if (!(score > threshold) || !isPeak(plane, cell, columns)) continue;
      const x = ((cell % columns) * size.width) / columns;
      const y = (Math.floor(cell / columns) * size.height) / lines;
      const edge = (side: number) => edges.data[side * cells + cell]!;
      const box = { x1: x - edge(0), y1: y - edge(1), x2: x + edge(2), y2: y + edge(3) };
      // Nothing keeps the net from answering an edge beyond the opposite one.
      if (box.x2 > box.x1 && box.y2 > box.y1) candidates.push({ ...box, score, classId });
    }
  }
  return candidates;
}

function gridOf({ dims: scores }: FloatTensor, { dims: edges }: FloatTensor) {
  const [batch, classes = 0, lines = 0, columns = 0] = scores;
  const fitting = edges.join() === [1, 4, lines, columns].join();
  if (scores.length !== 4 || batch !== 1 || classes < 1 || !fitting) {
    throw new RangeError(
      `A CenterNet head cannot have the shapes [${scores.join(', ')}] and [${edges.join(', ')}].`,
    );
  }
  return { classes, lines, columns };
}

/** Whether no neighbour of a cell is above it. */
function isPeak(plane: Float32Array, cell: number, columns: number): boolean {
  const column = cell % columns;
  const first = column === 0 ? 0 : -1;
  const last = column === columns - 1 ? 0 : 1;
  for (const line of [cell - columns, cell, cell + columns]) {
    // Beyond the first and the last line there is nothing, and nothing is not above it.
    for (let step = first; step <= last; step++)
      if (plane[line + step]! > plane[cell]!) return false;
  }
  return true;
}
