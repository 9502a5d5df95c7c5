import type { CalibrationKnots } from '../models/model.ts';
import type { FollowedSpace } from '../groups/followed-space.ts';

/** The reader of changes that keeps suggestions, groups and mismatches. */
export const SIMILARITY_READER = 'similarity';

export interface DueSpace extends FollowedSpace {
  readonly similarityCalibration: CalibrationKnots | null;
  /** Whether the model is neither active nor becomes active. */
  readonly isPrevious: boolean;
}

/** The place of a space in the order of turns. */
export type TurnPosition = Pick<FollowedSpace, 'environmentId' | 'modelId'>;

/** Finds the spaces whose similarity has to be brought up to date. All methods throw StoreUnavailable. */
export interface SimilarityQueue {
  /** The next space behind a position that has pending changes or is not settled; null behind the last one. */
  next(after: TurnPosition | null, signal?: AbortSignal): Promise<DueSpace | null>;
  /** All spaces that have vectors. */
  spaces(signal?: AbortSignal): Promise<readonly DueSpace[]>;
  /** Makes the follower read all faces again. */
  scanAll(signal?: AbortSignal): Promise<void>;
  /**
   * Removes the departures of an environment that readers of its newest tree do not need, after the tree was stored: those
   * of faces that are not in the tree and have no pending change, by which they could have come into it later. Readers of
   * a tree before compare it with the newest one.
   */
  absorb(
    space: TurnPosition,
    isInTree: (faceId: number) => boolean,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Removes trees that were replaced more than an hour ago, and departures from before the oldest tree. */
  prune(signal?: AbortSignal): Promise<void>;
}
