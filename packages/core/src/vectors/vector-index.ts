import type { AnsweringStore } from '../store/answering-store.ts';

/** What the vectors of a space stand for: stored faces, enrolled references, means of identities. */
export type VectorKind = 'faces' | 'references' | 'means';

/** Vectors that are compared with each other: of one environment, one model and one kind. */
export interface VectorSpace {
  readonly environmentId: number;
  readonly modelId: number;
  readonly kind: VectorKind;
  /** Length of every vector of the space. */
  readonly dimension: number;
}

/** A point without its vector, as the database knows it. */
export interface VectorEntry {
  /** Of the detection, the reference or the identity, by the kind of the space. */
  readonly id: number;
  /** Whose face it is; null for a face that nobody knows. */
  readonly identityId: number | null;
  /**
   * Tells the vector of a row from another one: the same for the same vector, made by who reads the
   * rows. From 0 to 2^53 - 1; an index keeps it as it is.
   */
  readonly fingerprint: number;
}

export interface VectorPoint extends VectorEntry {
  /** L2-normalised. */
  readonly vector: Float32Array;
}

/** A point without its vector, as an index has it. */
export interface IndexedEntry extends Omit<VectorEntry, 'fingerprint'> {
  /** Null: it was written when points had none. */
  readonly fingerprint: number | null;
}

/** The best point of one identity. */
export interface IdentityHit {
  readonly identityId: number;
  readonly pointId: number;
  /** As the index computes it; it may be coarser than float32. */
  readonly cosine: number;
}

export interface PointHit {
  readonly id: number;
  readonly identityId: number | null;
  readonly cosine: number;
}

export interface VectorQuery {
  /** L2-normalised; all are answered in one pass, in their order. */
  readonly vectors: readonly Float32Array[];
  /** Most hits per vector. */
  readonly limit: number;
}

/**
 * `ready`: complete and answering. `incomplete`: it answers, but was never filled or has lost what it
 * held.
 */
export type VectorIndexState = 'ready' | 'incomplete' | 'unavailable';

/**
 * Finds nearest neighbours by cosine. It is a projection: whatever it holds can be built again from
 * the database, and what it finds is a proposal that the database confirms.
 *
 * Every method throws VectorsUnavailable while the index cannot answer, the signal's reason on abort,
 * and RangeError for a vector that is not as long as those of its space or a limit below 1. While it
 * is incomplete, what reads or writes points throws VectorsUnavailable too, and `requireAnswer` where
 * that is known. A space of a complete
 * index that was never written is empty.
 */
export interface VectorIndex extends AnsweringStore {
  /** Adds or replaces points by id; when it settles, searches find them. */
  upsert(space: VectorSpace, points: readonly VectorPoint[], signal?: AbortSignal): Promise<void>;

  /** Removes points by id; one that is not there is no error. */
  remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void>;

  /**
   * For each vector the most similar identities, each once, by its most similar point; descending
   * by cosine, ties by identity id. Points without identity are passed over.
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

  /** What a space holds, in ascending order of id, from the first id above `after`. */
  list(
    space: VectorSpace,
    page: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly IndexedEntry[]>;

  /** Forgets all spaces of an environment. */
  dropEnvironment(environmentId: number, signal?: AbortSignal): Promise<void>;

  /** Never throws. */
  state(signal?: AbortSignal): Promise<VectorIndexState>;

  /** Begins to fill the index anew, beside what answers meanwhile; an earlier draft is given up. */
  begin(signal?: AbortSignal): Promise<VectorIndexDraft>;
}

/**
 * An index that is being filled: searches do not see it yet. Methods throw as those of
 * {@link VectorIndex}, and VectorsUnavailable once it was given up.
 */
export interface VectorIndexDraft {
  /** As of the index. */
  upsert(space: VectorSpace, points: readonly VectorPoint[], signal?: AbortSignal): Promise<void>;
  /** As of the index. */
  remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void>;
  /**
   * From now on the index is what the draft holds, all at once: searches see either the one or the
   * other.
   */
  publish(signal?: AbortSignal): Promise<void>;
  /** Gives it up; one that is published or gone is no error. */
  discard(): Promise<void>;
}
