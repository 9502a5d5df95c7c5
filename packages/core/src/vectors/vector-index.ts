import type { AnsweringStore } from '../store/answering-store.ts';

/** The kinds of vectors in a space: stored faces, enrolled references, means of identities. */
export type VectorKind = 'faces' | 'references' | 'means';

/** Vectors that are compared with each other: of one environment, model and kind. */
export interface VectorSpace {
  readonly environmentId: number;
  readonly modelId: number;
  readonly kind: VectorKind;
  /** Length of every vector of the space. */
  readonly dimension: number;
}

/** A point without its vector, as the database has it. */
export interface VectorEntry {
  /** The id of the detection, the reference or the identity, by the kind of the space. */
  readonly id: number;
  /** Null: unidentified. */
  readonly identityId: number | null;
  /**
   * Fingerprint of the vector, computed by the reader of the rows; 0 to 2^53 - 1. An index stores it
   * unchanged.
   */
  readonly fingerprint: number;
}

export interface VectorPoint extends VectorEntry {
  /** L2-normalized. */
  readonly vector: Float32Array;
}

/** A point without its vector, as an index has it. */
export interface IndexedEntry extends Omit<VectorEntry, 'fingerprint'> {
  /** Null: the point has none. */
  readonly fingerprint: number | null;
}

/** The best point of one identity. */
export interface IdentityHit {
  readonly identityId: number;
  readonly pointId: number;
  /** The cosine as the index computes it, maybe coarser than in float32. */
  readonly cosine: number;
}

export interface PointHit {
  readonly id: number;
  readonly identityId: number | null;
  readonly cosine: number;
}

export interface VectorQuery {
  /** L2-normalized. All are searched in one pass, and answered in their order. */
  readonly vectors: readonly Float32Array[];
  /** The maximum number of hits per vector. */
  readonly limit: number;
}

/**
 * `ready`: complete and answering. `incomplete`: answering, but never filled, or its points are lost.
 */
export type VectorIndexState = 'ready' | 'incomplete' | 'unavailable';

/**
 * Finds nearest neighbors by cosine. It is a projection of the database: it can be rebuilt from the
 * rows, and its hits are proposals that the database confirms.
 *
 * Every method throws VectorsUnavailable while the index cannot answer, the signal's reason on abort,
 * and RangeError for a vector of another length than its space or a limit below 1. While the index is
 * incomplete, methods that read or write points throw VectorsUnavailable too, and `requireAnswer` does
 * if the adapter knows. A space of a complete index that was never written is empty.
 */
export interface VectorIndex extends AnsweringStore {
  /** Adds or replaces points by id; when it settles, searches find them. */
  upsert(space: VectorSpace, points: readonly VectorPoint[], signal?: AbortSignal): Promise<void>;

  /** Removes points by id; one that is not there is no error. */
  remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void>;

  /**
   * For each vector the most similar identities, each once, by its most similar point; descending
   * by cosine, ties by identity id. Points without identity are skipped.
   */
  searchIdentities(
    space: VectorSpace,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<readonly (readonly IdentityHit[])[]>;

  /** For each vector the most similar points, descending by cosine, ties by id. */
  searchPoints(
    space: VectorSpace,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<readonly (readonly PointHit[])[]>;

  /** The points of a space in ascending order of id, from the first id above `after`. */
  list(
    space: VectorSpace,
    page: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly IndexedEntry[]>;

  /** Removes all spaces of an environment. */
  dropEnvironment(environmentId: number, signal?: AbortSignal): Promise<void>;

  /** Never throws. */
  state(signal?: AbortSignal): Promise<VectorIndexState>;

  /** Begins a draft while the current index keeps answering; an earlier draft is discarded. */
  begin(signal?: AbortSignal): Promise<VectorIndexDraft>;
}

/**
 * An index that is being filled: searches do not see it yet. Methods throw as those of
 * {@link VectorIndex}, and VectorsUnavailable after it was discarded.
 */
export interface VectorIndexDraft {
  /** The same as {@link VectorIndex.upsert}, for the draft. */
  upsert(space: VectorSpace, points: readonly VectorPoint[], signal?: AbortSignal): Promise<void>;
  /** The same as {@link VectorIndex.remove}, for the draft. */
  remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void>;
  /**
   * Replaces the index by the draft atomically: a search sees either the one or the other.
   */
  publish(signal?: AbortSignal): Promise<void>;
  /** Discards the draft; no effect if it was published or discarded before. */
  discard(): Promise<void>;
}
