/** An identity that a face may have. */
export interface Candidate {
  readonly identityId: number;
  /** The calibrated similarity, -1 to 1. */
  readonly similarity: number;
}

export interface NamedCandidate extends Candidate {
  readonly label: string;
}
