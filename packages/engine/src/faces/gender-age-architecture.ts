import type { FloatTensor } from '../onnx/session.ts';

export interface GenderAge {
  readonly gender: 'M' | 'F';
  /** The age in years. */
  readonly age: number;
}

/** The way to feed a family of gender and age networks and to decode its outputs. */
export interface GenderAgeArchitecture {
  /** The side of the square crop in pixels if the graph accepts any side. */
  readonly defaultSide: number;
  /** The side of the crop relative to the longer side of the face's box. */
  readonly margin: number;
  /**
   * @param outputs the outputs for one face, in the order of the graph
   * @throws RangeError if the outputs do not fit this architecture
   */
  read(outputs: readonly FloatTensor[]): GenderAge;
}
