import type { Detection, Image } from './use-decisions.ts';

/** Kinds of boxes, which differ in color and in shape. */
export type BoxKind = 'face' | 'object' | 'manual';

export interface NumberedDetection {
  readonly detection: Detection;
  /** The number that the box and its entry in the list have. */
  readonly number: number;
  readonly kind: BoxKind;
}

export function numberDetections({ faces, objects }: Image): NumberedDetection[] {
  return [...faces, ...objects].map((detection, index) => ({
    detection,
    number: index + 1,
    kind: detection.is_manual ? 'manual' : detection.type,
  }));
}
