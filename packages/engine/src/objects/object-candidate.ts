export interface ObjectCandidate {
  /** The corners in pixels of the network's input. */
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** The score, 0..1. */
  readonly score: number;
  readonly classId: number;
}

/**
 * The center and the sides of a box in pixels of the network's input, as YOLO heads output them.
 */
export type CenteredBox = readonly [x: number, y: number, width: number, height: number];

export function candidateAround(
  [x, y, width, height]: CenteredBox,
  { score, classId }: Pick<ObjectCandidate, 'score' | 'classId'>,
): ObjectCandidate {
  return {
    x1: x - width / 2,
    y1: y - height / 2,
    x2: x + width / 2,
    y2: y + height / 2,
    score,
    classId,
  };
}
