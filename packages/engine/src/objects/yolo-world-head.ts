import { indexOfLargest } from '../math/index-of-largest.ts';
import type { FloatTensor } from '../onnx/session.ts';
import type { ObjectCandidate } from './object-candidate.ts';

/** The two outputs of a network, with a row for each cell. */
export interface YoloWorldOutputs {
  /** [1, cells, phrases]: scores after the sigmoid, 0..1. */
  readonly scores: FloatTensor;
  /** [1, cells, 4]: corners in pixels of the input. */
  readonly boxes: FloatTensor;
}

/**
 * Decodes the head of YOLO-World as YOLO-World's own tools export it without suppression:
 * `DeployModel` of AILab-CVC/YOLO-World (deploy/easydeploy) with the embeddings as a second input.
 * The class of a cell is the phrase with the best score.
 *
 * @param threshold value, 0..1, that scores must exceed
 * @throws RangeError if the outputs have other shapes
 */
export function decodeYoloWorld(
  { scores, boxes }: YoloWorldOutputs,
  threshold: number,
): ObjectCandidate[] {
  const [batch, cells = 0, phrases = 0] = scores.dims;
  const fitting = boxes.dims.join() === [1, cells, 4].join();
  if (scores.dims.length !== 3 || batch !== 1 || phrases < 1 || !fitting) {
    throw new RangeError(
      `A YOLO-World head cannot have the shapes [${scores.dims.join(', ')}] and ` +
        `[${boxes.dims.join(', ')}].`,
    );
  }
  const candidates: ObjectCandidate[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const row = scores.data.subarray(cell * phrases, (cell + 1) * phrases);
    const classId = indexOfLargest(row);
    const score = row[classId]!;
    if (!(score > threshold)) continue;
    const [x1, y1, x2, y2] = boxes.data.subarray(4 * cell, 4 * cell + 4);
    candidates.push({ x1: x1!, y1: y1!, x2: x2!, y2: y2!, score, classId });
  }
  return candidates;
}
