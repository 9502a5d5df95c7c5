/** Length of an axis; null for a batch of any size. */
export type Length = number | null;

/** Weights and other constants, row-major, axes in TensorFlow's order. */
export interface Constant {
  readonly kind: 'constant';
  readonly shape: readonly number[];
  readonly data: Float32Array | Int32Array;
}

/** What the converted graph computes. */
export interface Activation {
  readonly kind: 'activation';
  /** In the ONNX graph. */
  readonly name: string;
  /**
   * Axes in TensorFlow's order. One of four axes is [batch, height, width, channels] there and
   * always [batch, channels, height, width] in the ONNX graph; fewer axes stand as they are.
   */
  readonly shape: readonly Length[];
  /** Set if it is another value of the ONNX graph held within bounds, and nothing else. */
  readonly clipped?: Clipping;
}

/** A value that is held within bounds. */
export interface Clipping {
  /** Name of the value without bounds. */
  readonly of: string;
  readonly min: number;
  readonly max: number;
}

/** What a node of the graph gives. */
export type Value = Constant | Activation;
