import type { ReaderState } from './change-log.ts';
import type { IndexDrift } from './index-drift.ts';

/** How the index of one reader stands. */
export interface IndexReader {
  /** `shared`, or that of a process with an index of its own. */
  readonly name: string;
  readonly state: Exclude<ReaderState, 'missing'>;
  /** Changes that wait for its index. */
  readonly backlog: number;
  /** Points that a draft of the index has so far; null while none is filled. */
  readonly filling: number | null;
  /** When the index was last filled from nothing; null if it never was. */
  readonly filledAt: Date | null;
  /** When whoever keeps the index last said that it is there. */
  readonly lastSeenAt: Date;
  /** When the whole index was last compared with the database; null if it never was. */
  readonly comparedAt: Date | null;
  /** What that comparison found; null without one. */
  readonly drift: IndexDrift | null;
}

/** How the indexes of all readers stand. Throws StoreUnavailable. */
export interface IndexStatusStore {
  /** By name. */
  readers(signal?: AbortSignal): Promise<readonly IndexReader[]>;
  /**
   * Asks for the index of a reader to be made anew, or for those of all readers; answers how many
   * readers that are. One that is being filled, or was asked for already, is made once.
   */
  requestRebuild(reader?: string): Promise<number>;
  /**
   * Forgets readers that nobody has kept alive for longer than this, with their notes; answers how
   * many. Times are those of the database, in seconds.
   */
  forgetReaders(
    unseen: { readonly own: number; readonly shared: number },
    signal?: AbortSignal,
  ): Promise<number>;
}
