import type { NamedCandidate } from '../identities/candidate.ts';
import type { Page } from '../store/page.ts';
import type { Detection } from './detection.ts';

/** A detection as lists show it. */
export type ListedFace = Pick<
  Detection,
  'id' | 'sourceImageId' | 'bbox' | 'confidence' | 'cropKey' | 'detectedAt' | 'reviewStatus'
>;

/** A detection in a list of one identity. */
export interface GalleryFace extends ListedFace {
  readonly sourceExternalRef: string | null;
}

export interface AssignedIdentity {
  readonly id: number;
  readonly label: string;
}

/** A face that waits for review. */
export interface QueuedFace extends ListedFace {
  readonly sourceMediaKey: string;
  readonly identity: AssignedIdentity | null;
  /** The most similar first. */
  readonly suggestions: readonly NamedCandidate[];
}

/**
 * The rule that selects the stored suggestions to show; the others are of other models, or too
 * dissimilar.
 */
export interface SuggestionRule {
  readonly modelId: number;
  readonly leastSimilarity: number;
  /** The maximum number of suggestions per face. */
  readonly most: number;
}

/** A confirmed face that can be compared with the other references of its identity. */
export interface ComparableFace extends ListedFace {
  readonly identity: AssignedIdentity;
  /** L2-normalized. */
  readonly vector: Float32Array;
  /** Whether the vector is part of the sum. */
  readonly isReference: boolean;
  /** The sum of the references of the identity, of the same length as the vector, and their number. */
  readonly references: { readonly sum: Float64Array; readonly count: number };
}

/** A position in the review queue. */
export type QueuePosition = Pick<Detection, 'confidence' | 'id'>;

/** A position in a list by time. */
export type TimePosition = Pick<Detection, 'detectedAt' | 'id'>;

/** Null starts at the beginning. */
interface PageAfter<Position> {
  readonly after: Position | null;
  readonly limit: number;
}

/**
 * Lists of detections in the order in which people work through them. A detection whose identity is
 * being deleted is in none of them; one whose identity merges is listed as the target's. Ties are
 * broken by id, in the direction of the order.
 */
export interface FaceLists {
  /**
   * Faces that wait for review, by confidence, descending. Without a rule, none has suggestions.
   *
   * @param suggestedOnly only those that have a suggestion
   */
  reviewQueue(
    wanted: { readonly rule: SuggestionRule | null; readonly suggestedOnly: boolean },
    page: PageAfter<QueuePosition>,
  ): Promise<Page<QueuedFace>>;
  /** Faces in the review queue. */
  countReviewQueue(): Promise<number>;
  /** Faces in the review queue that have a suggestion. */
  countSuggested(rule: SuggestionRule): Promise<number>;
  /** Faces without an identity, newest first. */
  unknown(page: PageAfter<TimePosition>): Promise<Page<Detection>>;
  /** Detections of an identity. */
  gallery(
    identityId: number,
    order: 'newest' | 'oldest',
    page: PageAfter<TimePosition>,
  ): Promise<Page<GalleryFace>>;
  /** Faces that were rejected from an identity and are rejected now, newest first. */
  rejected(identityId: number, page: PageAfter<TimePosition>): Promise<Page<GalleryFace>>;
  /**
   * Confirmed faces, without those whose mismatch was dismissed, that have a vector of the model
   * and whose identity has another reference of it. They are in the order of their ids, which never
   * change, so a reader of all pages meets each face once. Reads at most `limit` rows; `next` is
   * null after the last.
   *
   * @param page `after` is the `next` of the previous page
   */
  comparable(
    modelId: number,
    page: PageAfter<number>,
  ): Promise<{ readonly faces: readonly ComparableFace[]; readonly next: number | null }>;
}
