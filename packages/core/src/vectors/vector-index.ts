import type { AnsweringStore } from '../store/answering-store.ts';

/**
 * `faces`: the vectors of all stored faces. `references`: the vectors of enrolled references. `means`: one vector for
 * each identity, the mean of its references.
 */
export type VectorKind = 'faces' | 'references' | 'means';

/** The vectors of one environment, model and kind. Vectors of different spaces are never compared. */
export interface VectorSpace {
  readonly environmentId: number;
  readonly modelId: number;
  readonly kind: VectorKind;
  /** The number of values in each vector. */
  readonly dimension: number;
}

/** A point without its vector, as the database has it. */
export interface VectorEntry {
  /** The id of a detection, a reference or an identity, depending on the kind of the space. */
  readonly id: number;
  /** Null if the face has no identity. */
  readonly identityId: number | null;
  /** A hash of the vector from 0 to 2^53 - 1, which the database adapter computes and the index stores. */
  readonly fingerprint: number;
}

export interface VectorPoint extends VectorEntry {
  /** L2-normalized. */
  readonly vector: Float32Array;
}

/** A point without its vector, as an index has it. */
export interface IndexedEntry extends Omit<VectorEntry, 'fingerprint'> {
  /** Null if the point has no fingerprint. */
  readonly fingerprint: number | null;
}

/** The most similar point of one identity. */
export interface IdentityHit {
  readonly identityId: number;
  readonly pointId: number;
  /** The cosine similarity as the index computes it, possibly less precise than with float32. */
  readonly cosine: number;
}

export interface PointHit {
  readonly id: number;
  readonly identityId: number | null;
  readonly cosine: number;
}

export interface VectorQuery {
  /** L2-normalized. The results are in the order of these vectors. */
  readonly vectors: readonly Float32Array[];
  /** The maximum number of hits per vector. */
  readonly limit: number;
}

/**
 * The state of an index. `ready`: it is complete. `incomplete`: it responds, but was never filled or has lost its
 * points. `unavailable`: it does not respond.
 */
export type VectorIndexState = 'ready' | 'incomplete' | 'unavailable';

/**
 * Finds nearest neighbors by cosine similarity. An index is a projection of the database: it can be rebuilt from the
 * rows, and callers confirm its hits in the database.
 *
 * All methods throw VectorsUnavailable while the index does not respond, and the signal's reason on abort. They throw
 * RangeError for a vector with another length than its space, and for a limit below 1. While the index is incomplete,
 * methods that read or write points also throw VectorsUnavailable. `requireAnswer` also throws it then, but only if
 * the adapter already knows that the index is incomplete. In a complete index, a space without a write is empty.
 */
export interface VectorIndex extends AnsweringStore {
  /** Adds or replaces points by id. Once the promise resolves, searches find these points. */
  upsert(space: VectorSpace, points: readonly VectorPoint[], signal?: AbortSignal): Promise<void>;

  /** Removes points by id. Missing points are ignored. */
  remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void>;

  /**
   * Returns the most similar identities for each vector, in descending order of the cosine of their most similar point.
   * Ties are ordered by identity id. Points without an identity are skipped.
   */
  searchIdentities(
    space: VectorSpace,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<readonly (readonly IdentityHit[])[]>;

  /** Returns the most similar points for each vector, in descending order of cosine. Ties are ordered by id. */
  searchPoints(
    space: VectorSpace,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<readonly (readonly PointHit[])[]>;

  /** A page of the points of a space with ids above `after`, sorted by id. */
  list(
    space: VectorSpace,
    page: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly IndexedEntry[]>;

  /** Removes all spaces of an environment. */
  dropEnvironment(environmentId: number, signal?: AbortSignal): Promise<void>;

  /** The promise never rejects. */
  state(signal?: AbortSignal): Promise<VectorIndexState>;

  /** Begins a draft and discards an earlier one. The current index stays available. */
  begin(signal?: AbortSignal): Promise<VectorIndexDraft>;
}

/**
 * An index that is being filled and is invisible to searches. Its methods throw the errors of {@link VectorIndex}, and
 * VectorsUnavailable after the draft was discarded.
 */
export interface VectorIndexDraft {
  upsert(space: VectorSpace, points: readonly VectorPoint[], signal?: AbortSignal): Promise<void>;
  remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void>;
  /** Replaces the current index by the draft atomically. */
  publish(signal?: AbortSignal): Promise<void>;
  /** Discards the draft. Has no effect on a published or discarded draft. */
  discard(): Promise<void>;
}
