import type { FloatTensor } from '../onnx/session.ts';

export interface GenderAge {
  readonly gender: 'M' | 'F';
  readonly age: number;
}

export interface GenderAgeArchitecture {
  readonly defaultSide: number;
  /** The side of the crop relative to the longer side of the face's box. */
  readonly margin: number;
  /**
   * @param outputs the outputs for one face, in the order of the graph
   * @throws RangeError if the outputs do not fit this architecture
   */
  read(outputs: readonly FloatTensor[]): GenderAge;
}
