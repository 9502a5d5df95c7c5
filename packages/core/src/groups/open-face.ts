/** An open face is neither confirmed nor dismissed. A stranger is an open face without an identity. */
export interface OpenFace {
  readonly id: number;
  readonly isStranger: boolean;
  /** L2-normalized. */
  readonly vector: Float32Array;
}
