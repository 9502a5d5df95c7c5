import type { FloatTensor } from '../onnx/session.ts';

export interface GenderAge {
  readonly gender: 'M' | 'F';
  /** In years. */
  readonly age: number;
}

/** How a family of gender and age networks is fed and decoded. */
export interface GenderAgeArchitecture {
  /** Side of the square crop in pixels, if the graph accepts any. */
  readonly defaultSide: number;
  /** Side of the crop relative to the longer side of the face's box. */
  readonly margin: number;
  /**
   * @param outputs for one face, in the order of the graph
   * @throws RangeError if they do not fit this architecture
   */
  read(outputs: readonly FloatTensor[]): GenderAge;
}
