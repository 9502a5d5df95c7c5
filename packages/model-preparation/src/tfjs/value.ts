/** The length of an axis; null for a dynamic batch. */
export type Length = number | null;

/** A weight or another constant, in row-major order, with axes in TensorFlow's order. */
export interface Constant {
  readonly kind: 'constant';
  readonly shape: readonly number[];
  readonly data: Float32Array | Int32Array;
}

/** A value that the converted graph computes. */
export interface Activation {
  readonly kind: 'activation';
  /** The value's name in the ONNX graph. */
  readonly name: string;
  /**
   * The lengths of the axes in TensorFlow's order. Four axes are [batch, height, width, channels] in TensorFlow and
   * [batch, channels, height, width] in the ONNX graph. Fewer axes have the same order in both.
   */
  readonly shape: readonly Length[];
  /** Set if the value is a clipped version of another value. */
  readonly clipped?: Clipping;
}

/** The bounds of a clipped value. */
export interface Clipping {
  /** The name of the value without bounds. */
  readonly of: string;
  readonly min: number;
  readonly max: number;
}

/** The value of a node. */
export type Value = Constant | Activation;
