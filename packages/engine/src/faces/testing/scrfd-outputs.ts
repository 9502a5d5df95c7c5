import type { Point } from '@sightline/core/analysis/geometry';

export interface DrawnFace {
  readonly level: number;
  readonly column: number;
  readonly row: number;
  readonly anchor?: number;
  readonly score: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly landmarks?: readonly Point[];
}

export interface ScrfdShape {
  readonly width: number;
  readonly height: number;
  readonly strides: readonly number[];
  readonly anchors: number;
  readonly hasLandmarks: boolean;
}

export function scrfdOutputs(shape: ScrfdShape, faces: readonly DrawnFace[]): Float32Array[] {
  const { strides, hasLandmarks } = shape;
  const cells = strides.map(
    (stride) => Math.ceil(shape.width / stride) * Math.ceil(shape.height / stride) * shape.anchors,
  );
  const scores = cells.map((count) => new Float32Array(count));
  const boxes = cells.map((count) => new Float32Array(4 * count));
  const landmarks = cells.map((count) => new Float32Array(10 * count));
  for (const face of faces) {
    const stride = strides[face.level]!;
    const center = face.row * Math.ceil(shape.width / stride) + face.column;
    const index = center * shape.anchors + (face.anchor ?? 0);
    const inStrides = (values: readonly number[]) => values.map((value) => value / stride);
    scores[face.level]![index] = face.score;
    boxes[face.level]!.set(inStrides([face.left, face.top, face.right, face.bottom]), 4 * index);
    const points = face.landmarks ?? [];
    landmarks[face.level]!.set(inStrides(points.flatMap(({ x, y }) => [x, y])), 10 * index);
  }
  return [...scores, ...boxes, ...(hasLandmarks ? landmarks : [])];
}
