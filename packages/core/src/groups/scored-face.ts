/** A confirmed face that can be compared with the other references of its identity. */
export interface ScoredFace {
  readonly id: number;
  readonly identityId: number;
  /** The L2-normalized embedding. */
  readonly vector: Float32Array;
  /** Whether `references.sum` includes the vector. */
  readonly isReference: boolean;
  /** The sum of the identity's references, with the length of `vector`, and the number of references. */
  readonly references: { readonly sum: Float64Array; readonly count: number };
}
