import type { CalibrationKnots } from '../models/model.ts';
import type { FollowedSpace } from '../groups/followed-space.ts';

/** The reader of changes that keeps suggestions, groups and mismatches. */
export const SIMILARITY_READER = 'similarity';

export interface DueSpace extends FollowedSpace {
  readonly similarityCalibration: CalibrationKnots | null;
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
  /** Removes trees that were replaced more than an hour ago, and departures that no stored tree contains any more. */
  prune(signal?: AbortSignal): Promise<void>;
}
