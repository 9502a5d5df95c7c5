import type { StrangerVectors } from './open-face-vectors.ts';

/** The neighbors of faces, one list after the other. */
export interface PackedNeighbors {
  /** The position in `targets` at which the list of each face ends. */
  readonly ends: Int32Array<ArrayBuffer>;
  /** The positions of the neighbors. */
  readonly targets: Int32Array<ArrayBuffer>;
}

export interface FacesToLink extends PackedNeighbors {
  readonly vectors: StrangerVectors['vectors'];
  readonly faces: number;
}

/** The joinings of a tree. */
export interface PackedJoinings {
  /** The two nodes of each joining, one after the other. */
  readonly parts: Int32Array<ArrayBuffer>;
  readonly cosines: Float64Array<ArrayBuffer>;
}

/** Computes the tree of groups beside the event loop. */
export interface GroupLinker {
  /** @throws Error if the computation fails; the signal's reason on abort */
  link(faces: FacesToLink, signal?: AbortSignal): Promise<PackedJoinings>;
}
