import type { NamedCandidate } from '../identities/candidate.ts';
import type { Page } from '../store/page.ts';
import type { Detection } from './detection.ts';

/** The members of a detection that all lists show. */
export type ListedFace = Pick<
  Detection,
  'id' | 'sourceImageId' | 'bbox' | 'confidence' | 'cropKey' | 'detectedAt' | 'reviewStatus'
>;

export interface GalleryFace extends ListedFace {
  readonly sourceExternalRef: string | null;
}

export interface AssignedIdentity {
  readonly id: number;
  readonly label: string;
}

export interface QueuedFace extends ListedFace {
  readonly sourceMediaKey: string;
  readonly identity: AssignedIdentity | null;
  /** Descending by similarity. */
  readonly suggestions: readonly NamedCandidate[];
}

export interface SuggestionRule {
  readonly modelId: number;
  readonly leastSimilarity: number;
  readonly most: number;
}

/** A confirmed face that is unlike the other references of its identity. */
export interface Mismatch extends ListedFace {
  readonly identity: AssignedIdentity;
  /** The calibrated similarity to the mean of the identity's other references, -1 to 1. */
  readonly similarity: number;
}

export type MismatchPosition = Pick<Mismatch, 'similarity' | 'id'>;

export interface MismatchRule {
  readonly modelId: number;
  /** The similarity below which a face is a mismatch. */
  readonly below: number;
}

export type QueuePosition = Pick<Detection, 'confidence' | 'id'>;

export type TimePosition = Pick<Detection, 'detectedAt' | 'id'>;

interface PageAfter<Position> {
  /** The position of the last item before the page; null starts at the beginning. */
  readonly after: Position | null;
  readonly limit: number;
}

/**
 * Lists of detections for people. Detections of an identity that is being deleted are in no list. Detections of an
 * identity that is being merged are listed as the target's. Equal positions are ordered by id, in the direction of the
 * list.
 */
export interface FaceLists {
  /**
   * Lists the faces that wait for review, descending by confidence. Without a rule, the faces have no suggestions. With
   * `suggestedOnly`, only faces with a suggestion are listed.
   */
  reviewQueue(
    filter: { readonly rule: SuggestionRule | null; readonly suggestedOnly: boolean },
    page: PageAfter<QueuePosition>,
  ): Promise<Page<QueuedFace>>;
  countReviewQueue(): Promise<number>;
  /** Counts the faces in the review queue that have a suggestion. */
  countSuggested(rule: SuggestionRule): Promise<number>;
  /** Lists the faces without an identity, newest first. */
  unknown(page: PageAfter<TimePosition>): Promise<Page<Detection>>;
  gallery(
    identityId: number,
    order: 'newest' | 'oldest',
    page: PageAfter<TimePosition>,
  ): Promise<Page<GalleryFace>>;
  /** Lists the faces that were rejected from an identity and whose status is still `rejected`, newest first. */
  rejected(identityId: number, page: PageAfter<TimePosition>): Promise<Page<GalleryFace>>;
  /**
   * Lists the confirmed faces whose stored similarity to their identity is below the rule's, in ascending order. Faces
   * whose mismatch was dismissed are not listed.
   */
  mismatches(rule: MismatchRule, page: PageAfter<MismatchPosition>): Promise<Page<Mismatch>>;
  countMismatches(rule: MismatchRule): Promise<number>;
}
