import { bestClasses } from '../kernels/best-classes.ts';
import type { FloatTensor } from '../onnx/session.ts';
import { candidateAround, type ObjectCandidate } from './object-candidate.ts';

/**
 * Decodes the head of YOLOv8 and v11 as exported by ultralytics: boxes in pixels, class scores
 * after the sigmoid, no objectness.
 *
 * @param output [1, 4 + classes, cells]: for each cell x and y of the center, width, height and a
 *   score (0..1) per class
 * @param threshold value, 0..1, that scores must exceed
 * @throws RangeError if the output has another shape
 */
export function decodeYoloV8(output: FloatTensor, threshold: number): ObjectCandidate[] {
  const { data, dims } = output;
  const [batch, rows = 0, cells = 0] = dims;
  if (dims.length !== 3 || batch !== 1 || rows < 5) {
    throw new RangeError(`A YOLOv8 head cannot have the shape [${dims.join(', ')}].`);
  }
  const { scores, classIds } = bestClasses(data.subarray(4 * cells), cells);
  const candidates: ObjectCandidate[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const score = scores[cell]!;
    if (!(score > threshold)) continue;
    const at = (row: number) => data[row * cells + cell]!;
    candidates.push(
      candidateAround([at(0), at(1), at(2), at(3)], { score, classId: classIds[cell]! }),
    );
  }
  return candidates;
}
