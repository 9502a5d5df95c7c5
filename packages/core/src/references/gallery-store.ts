import type { Candidate, NamedCandidate } from '../identities/candidate.ts';

/** A reference as matching sees it. */
export interface GalleryReference {
  readonly id: number;
  readonly identityId: number;
  readonly detectionId: number;
  readonly vector: Float32Array;
}

/** An identity, and the reference of it (for means, the identity) that is compared. */
export interface FoundPoint {
  readonly identityId: number;
  readonly pointId: number;
}

/** The mean of the references of an identity, L2-normalized. */
export interface GalleryMean {
  readonly identityId: number;
  readonly vector: Float32Array;
}

/** A candidate that is stored for a face. */
export interface Suggestion extends NamedCandidate {
  readonly detectionId: number;
}

/**
 * Reads the committed vectors that faces are compared with. Those of identities that are being
 * deleted are left out, and those of an identity that is being merged count as its target's. An
 * index may still propose the identity that is being merged: in every query here its id means its
 * target.
 */
export interface GalleryReader {
  /**
   * References, or identities for means, that exist and that the index may not know yet; ascending, at
   * most `limit`.
   */
  tail(
    modelId: number,
    kind: 'references' | 'means',
    limit: number,
  ): Promise<readonly FoundPoint[]>;
  /**
   * Returns the proposed identities that have references of the model or, for means, a mean; each with
   * the identity that it counts for. After a merge has finished, the reference names the target.
   */
  live(
    modelId: number,
    kind: 'references' | 'means',
    found: readonly FoundPoint[],
  ): Promise<ReadonlyMap<number, number>>;
  /** The references with these ids that exist. */
  references(modelId: number, ids: readonly number[]): Promise<readonly GalleryReference[]>;
  /** All references of these identities. */
  referencesOf(
    modelId: number,
    identityIds: readonly number[],
  ): Promise<readonly GalleryReference[]>;
  /**
   * Whether enrolled faces of the environment still lack embeddings of the model, so that enrolled
   * people would not be recognized.
   */
  isBehind(modelId: number): Promise<boolean>;
  /** The means of the identities that have references of the model. */
  means(modelId: number, identityIds: readonly number[]): Promise<readonly GalleryMean[]>;
  /** Returns the detections that have an embedding of the model. */
  embedded(modelId: number, detectionIds: readonly number[]): Promise<readonly number[]>;
  /** The identities that these detections were rejected from, each once. */
  rejections(
    detectionIds: readonly number[],
  ): Promise<readonly { readonly detectionId: number; readonly identityId: number }[]>;
  /** The stored suggestions of these detections, most similar first, without those that were rejected. */
  suggestions(modelId: number, detectionIds: readonly number[]): Promise<readonly Suggestion[]>;
}

export interface SuggestionWriter {
  /** Replaces the stored suggestions of these detections. */
  replace(
    modelId: number,
    suggestions: readonly {
      readonly detectionId: number;
      readonly candidates: readonly Candidate[];
    }[],
  ): Promise<void>;
}
