/** How similar a confirmed face is to its identity. */
export interface MismatchScore {
  readonly id: number;
  readonly identityId: number;
  /** The calibrated similarity to the mean of the identity's other references, -1 to 1. */
  readonly similarity: number;
}
