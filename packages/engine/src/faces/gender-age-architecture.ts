import type { FloatTensor } from '../onnx/session.ts';

export interface GenderAge {
  readonly gender: 'M' | 'F';
  /** In years. */
  readonly age: number;
}

/** A family of nets that tell gender and age: how they are shown a face and how they answer. */
export interface GenderAgeArchitecture {
  /** Side of the square crop in pixels, where the graph leaves it free. */
  readonly usualSide: number;
  /** Length of that side in the picture, in longer sides of the face's box. */
  readonly margin: number;
  /**
   * @param outputs of one face, in the order of the graph
   * @throws RangeError if they are not those of such a net
   */
  read(outputs: readonly FloatTensor[]): GenderAge;
}
