import type { QueuedFace, QueueFilter, SuggestionRule } from './face-lists.ts';
import type { Thumbnail } from '../identities/identity.ts';

/** The faces of the review queue that a decision about many is for. Absent members do not restrict it. */
export interface QueueSelection {
  /** The rule for suggestions; null if no face model is active, so that faces have no suggestions. */
  readonly rule: SuggestionRule | null;
  /** The identity of the best suggestion. */
  readonly identityId?: number;
  /** The least and the highest similarity of the best suggestion, both included. */
  readonly minSimilarity?: number;
  readonly maxSimilarity?: number;
  /** Included. */
  readonly detectedSince?: Date;
  /** Excluded. */
  readonly detectedUntil?: Date;
  /** Faces that began to wait later are not selected. */
  readonly queuedUntil: Date;
  readonly except: readonly number[];
}

/** The faces of the review queue with the same best suggestion. */
export interface SuggestionGroup {
  readonly identityId: number;
  readonly label: string;
  readonly thumbnail: Thumbnail | null;
  readonly count: number;
  /** The highest and the lowest similarity of the faces to the identity. */
  readonly best: number;
  readonly worst: number;
  /** The most similar faces. */
  readonly samples: readonly QueuedFace[];
}

/** The position of a group in the list: its count and its identity. */
export type GroupPlace = Pick<SuggestionGroup, 'count' | 'identityId'>;

export interface SuggestionGroups {
  readonly items: readonly SuggestionGroup[];
  readonly hasMore: boolean;
  /** The time at which the queue had these faces. */
  readonly asOf: Date;
}

/**
 * Reads the review queue for decisions about many faces. What counts as a face's best suggestion is what counts in the
 * list of the queue.
 */
export interface QueueSelections {
  /**
   * Lists the groups, the largest first, then by descending id. While an identity is deleted, faces whose best suggestion
   * it was are in no group.
   */
  groups(
    filter: Pick<QueueFilter, 'rule' | 'minSimilarity'>,
    page: {
      readonly after: GroupPlace | null;
      readonly limit: number;
      /** The most samples of a group. */
      readonly samples: number;
    },
  ): Promise<SuggestionGroups>;
  count(selection: QueueSelection): Promise<number>;
  /** Returns the first selected faces behind an id, by ascending id. */
  ids(
    selection: QueueSelection,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly number[]>;
  /** Returns those of some faces that are selected, in any order. */
  among(selection: QueueSelection, ids: readonly number[]): Promise<readonly number[]>;
}
