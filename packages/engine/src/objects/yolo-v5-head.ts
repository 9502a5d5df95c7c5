import { indexOfLargest } from '../math/index-of-largest.ts';
import type { FloatTensor } from '../onnx/session.ts';
import { type CenteredBox, candidateAround, type ObjectCandidate } from './object-candidate.ts';

/** Converts the four box values of a row to a box in pixels of the input. */
type BoxDecoder = (box: CenteredBox, row: number) => CenteredBox;

/**
 * Decodes the head of YOLOv5, exported with its grids applied.
 *
 * @param output [1, rows, 5 + classes]: for each anchor of each cell x and y of the center, width,
 *   height, objectness and a score per class (both 0..1). The score of an object is objectness
 *   times class score.
 * @param threshold value, 0..1, that scores must exceed
 * @throws RangeError if the output has another shape
 */
export function decodeYoloV5(output: FloatTensor, threshold: number): ObjectCandidate[] {
  return decodeRows(output, threshold, (box) => box);
}

/** Decodes like {@link decodeYoloV5}, for heads whose boxes are not decoded yet. */
export function decodeRows(
  { data, dims }: FloatTensor,
  threshold: number,
  decodeBox: BoxDecoder,
): ObjectCandidate[] {
  const [batch, rows = 0, width = 0] = dims;
  if (dims.length !== 3 || batch !== 1 || width < 6) {
    throw new RangeError(`A YOLOv5 or YOLOX head cannot have the shape [${dims.join(', ')}].`);
  }
  const candidates: ObjectCandidate[] = [];
  for (let row = 0; row < rows; row++) {
    const start = row * width;
    const objectness = data[start + 4]!;
    // This check skips most rows, because the product cannot exceed the threshold if the objectness
    // does not.
    if (!(objectness > threshold)) continue;
    const classId = indexOfLargest(data.subarray(start + 5, start + width));
    const score = objectness * data[start + 5 + classId]!;
    if (!(score > threshold)) continue;
    const [x, y, w, h] = data.subarray(start, start + 4) as unknown as CenteredBox;
    candidates.push(candidateAround(decodeBox([x, y, w, h], row), { score, classId }));
  }
  return candidates;
}
