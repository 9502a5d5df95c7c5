import type { NamedCandidate } from '../identities/candidate.ts';
import type { Buckets } from '../store/buckets.ts';
import type { ListPosition } from '../store/list-position.ts';
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
  /** The value by which the list is ordered. */
  readonly sortValue: QueuePosition['value'];
}

/** `similarity` is that of the best suggestion; faces without a suggestion come last. */
export type QueueOrder = 'confidence' | 'newest' | 'similarity';

/** The value is the confidence, the time of the detection, or the similarity; null for a face without a suggestion. */
export type QueuePosition = ListPosition<number | Date | null>;

/** Absent members do not restrict the queue. */
export interface QueueFilter {
  /** The rule for suggestions; null if no face model is active, so that faces have no suggestions. */
  readonly rule: SuggestionRule | null;
  /** Whether only faces with a suggestion are listed. */
  readonly suggestedOnly?: boolean;
  /** The identity of the best suggestion. */
  readonly identityId?: number;
  /** The least similarity of the best suggestion. */
  readonly minSimilarity?: number;
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
  /** If present, only faces of this identity are listed. */
  readonly identityId?: number | undefined;
}

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
   * Lists the faces that wait for review, in descending order. While an identity is deleted, faces whose best suggestion
   * it was keep their place, and are not yet listed for the identity of their next suggestion.
   */
  reviewQueue(
    filter: QueueFilter,
    page: PageAfter<QueuePosition> & { readonly order: QueueOrder },
  ): Promise<Page<QueuedFace>>;
  countReviewQueue(filter: QueueFilter): Promise<number>;
  queueBuckets(filter: QueueFilter, order: QueueOrder): Promise<Buckets<QueuePosition['value']>>;
  /** Lists the faces without an identity, newest first. */
  unknown(page: PageAfter<TimePosition>): Promise<Page<Detection>>;
  unknownBuckets(): Promise<Buckets<Date>>;
  galleryBuckets(identityId: number, order: 'newest' | 'oldest'): Promise<Buckets<Date>>;
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
