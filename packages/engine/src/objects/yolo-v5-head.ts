import type { FloatTensor } from '../onnx/session.ts';
import { type CentredBox, candidateAround, type ObjectCandidate } from './object-candidate.ts';

/** Turns the four box values of a row into a box in pixels of the input. */
type BoxDecoder = (box: CentredBox, row: number) => CentredBox;

/**
 * Decodes the head of YOLOv5 with its grids applied, as its export gives it.
 *
 * @param output [1, rows, 5 + classes]: for each anchor of each cell x and y of the centre, width,
 *   height, objectness and a score for each class (0..1 both); an object's score is the product
 * @param threshold a score has to be above it, 0..1
 * @throws RangeError if the output has another shape
 */
export function decodeYoloV5(output: FloatTensor, threshold: number): ObjectCandidate[] {
  return decodeRows(output, threshold, (box) => box);
}

/** As {@link decodeYoloV5}, for heads whose boxes are still to be decoded. */
export function decodeRows(
  { data, dims }: FloatTensor,
  threshold: number,
  decodeBox: BoxDecoder,
): ObjectCandidate[] {
  const [batch, rows = 0, width = 0] = dims;
  if (dims.length !== 3 || batch !== 1 || width < 6) {
    throw new RangeError(`A head of rows cannot have the shape [${dims.join(', ')}].`);
  }
  const candidates: ObjectCandidate[] = [];
  for (let row = 0; row < rows; row++) {
    const start = row * width;
    const objectness = data[start + 4]!;
    // No product can be above the threshold if the objectness is not: spares most rows the search.
    if (!(objectness > threshold)) continue;
    const classId = indexOfLargest(data.subarray(start + 5, start + width));
    const score = objectness * data[start + 5 + classId]!;
    if (!(score > threshold)) continue;
    const [x, y, w, h] = data.subarray(start, start + 4) as unknown as CentredBox;
    candidates.push(candidateAround(decodeBox([x, y, w, h], row), { score, classId }));
  }
  return candidates;
}

function indexOfLargest(values: Float32Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i;
  return best;
}
