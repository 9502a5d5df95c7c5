/** A person to whom a face is similar. */
export interface Candidate {
  readonly identity_id: number;
  readonly label: string;
  readonly similarity: number;
}

export interface Judgment {
  /** The person whom the service would name; null if no person reaches the threshold. */
  readonly match: Candidate | null;
  readonly best: Candidate | null;
  /** How much the best is ahead of the second; null without a second. */
  readonly margin: number | null;
}

/** Names a face as the service does: the most similar person, if the similarity reaches the threshold. */
export function judgeFace(candidates: readonly Candidate[], threshold: number): Judgment {
  const [best = null, second] = candidates;
  return {
    best,
    match: best !== null && best.similarity >= threshold ? best : null,
    margin: best !== null && second !== undefined ? best.similarity - second.similarity : null,
  };
}
