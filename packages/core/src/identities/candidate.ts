/** An identity that a face may be. */
export interface Candidate {
  readonly identityId: number;
  /** Calibrated, -1..1. */
  readonly similarity: number;
}

export interface NamedCandidate extends Candidate {
  readonly label: string;
}
