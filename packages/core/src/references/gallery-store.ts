import type { Candidate, NamedCandidate } from '../identities/candidate.ts';

export interface GalleryReference {
  readonly id: number;
  readonly identityId: number;
  readonly detectionId: number;
  readonly vector: Float32Array;
}

/** A point of the index, and its identity. */
export interface FoundPoint {
  readonly identityId: number;
  /** The id of a reference; for means, the id of the identity. */
  readonly pointId: number;
}

/** The mean of an identity's references. */
export interface GalleryMean {
  readonly identityId: number;
  /** L2-normalized. */
  readonly vector: Float32Array;
}

/** A stored candidate for the identity of a face. */
export interface Suggestion extends NamedCandidate {
  readonly detectionId: number;
}

/**
 * Reads the vectors with which faces are compared. Vectors of identities that are being deleted are not found. Vectors
 * of an identity that is being merged are returned as the target's. An index may still propose an identity that is being
 * merged; the methods accept its id, and treat it as the target's.
 */
export interface GalleryReader {
  /**
   * Returns at most `limit` points, ascending by id, that the index may not have yet. For `references`, these are
   * existing references; for `means`, identities that have a mean.
   */
  tail(
    modelId: number,
    kind: 'references' | 'means',
    limit: number,
  ): Promise<readonly FoundPoint[]>;
  /**
   * Returns a map of the found identities that still exist and still have references for the model. The key is the
   * found identity. The value is the same identity, or its merge target if it is being merged or has been merged.
   */
  live(
    modelId: number,
    kind: 'references' | 'means',
    found: readonly FoundPoint[],
  ): Promise<ReadonlyMap<number, number>>;
  /** Returns the existing references with these ids. */
  references(modelId: number, ids: readonly number[]): Promise<readonly GalleryReference[]>;
  /** Returns all references of these identities. */
  referencesOf(
    modelId: number,
    identityIds: readonly number[],
  ): Promise<readonly GalleryReference[]>;
  /**
   * Whether enrolled faces of the environment still lack embeddings of the model. Matching would then not recognize all
   * enrolled people.
   */
  isBehind(modelId: number): Promise<boolean>;
  /**
   * Returns the mean of the references of each of these identities, without identities that have no reference for the
   * model.
   */
  means(modelId: number, identityIds: readonly number[]): Promise<readonly GalleryMean[]>;
  /** Returns those of the detections that have an embedding of the model. */
  embedded(modelId: number, detectionIds: readonly number[]): Promise<readonly number[]>;
  /** Returns those of the detections of which the model cannot make an embedding. */
  unembeddable(modelId: number, detectionIds: readonly number[]): Promise<readonly number[]>;
  /** Returns the pairs of these detections and the identities from which they were rejected, each pair once. */
  rejections(
    detectionIds: readonly number[],
  ): Promise<readonly { readonly detectionId: number; readonly identityId: number }[]>;
  /** Returns the stored suggestions for these detections, descending by similarity, without rejected identities. */
  suggestions(modelId: number, detectionIds: readonly number[]): Promise<readonly Suggestion[]>;
}

export interface SuggestionsOfFace {
  readonly detectionId: number;
  readonly candidates: readonly Candidate[];
}

export interface SuggestionWriter {
  /**
   * Replaces the stored suggestions for these detections. An identity that has ended is left out.
   *
   * @returns whether all suggestions are stored
   */
  replace(modelId: number, suggestions: readonly SuggestionsOfFace[]): Promise<boolean>;
  /** Adds suggestions, and updates those that are stored. Other stored suggestions stay. */
  add(modelId: number, suggestions: readonly SuggestionsOfFace[]): Promise<void>;
}
