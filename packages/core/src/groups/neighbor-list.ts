/** The number of nearest strangers that a list has. */
export const NEIGHBORS = 32;

export interface NeighborList {
  /** The neighbors by descending cosine, then by ascending id. */
  readonly ids: readonly number[];
  readonly cosines: readonly number[];
  /** The checksum of the face's vector. */
  readonly fingerprint: number;
  /** Whether these are all of the nearest neighbors, so that none was lost since the search. */
  readonly isComplete: boolean;
}
