import type { ListPosition } from './list-position.ts';

/** The most buckets of a list, and the fewest rows of a bucket that is not the last. */
export const MOST_BUCKETS = 1000;
export const FEWEST_IN_BUCKET = 200;

/** Consecutive rows of a list. */
export interface Bucket<Value> {
  /** The position of the first row. */
  readonly first: ListPosition<Value>;
  readonly count: number;
}

/** All rows of a list, for access at any place of it. */
export interface Buckets<Value> {
  /** At most {@link MOST_BUCKETS}; each but the last has at least {@link FEWEST_IN_BUCKET} rows. */
  readonly items: readonly Bucket<Value>[];
  readonly total: number;
  /** The time at which the list had these rows. */
  readonly asOf: Date;
}
