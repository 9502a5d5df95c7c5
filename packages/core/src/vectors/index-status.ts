import type { ReaderState } from './change-log.ts';
import type { IndexDrift } from './index-drift.ts';

/** The state of the index of one reader. */
export interface IndexReader {
  /** `shared`, or the name of a process with an index of its own. */
  readonly name: string;
  readonly state: Exclude<ReaderState, 'missing'>;
  /** Pending changes. */
  readonly backlog: number;
  /** Points in the draft of the index; null without a draft. */
  readonly filling: number | null;
  /** When the index was last filled; null if it never was. */
  readonly filledAt: Date | null;
  /** Last heartbeat of the process that maintains the index. */
  readonly lastSeenAt: Date;
  /** Time since then, in seconds of the database's clock. */
  readonly unseenSeconds: number;
  /** When the whole index was last compared with the database; null if it never was. */
  readonly comparedAt: Date | null;
  /** The findings of that comparison; null without one. */
  readonly drift: IndexDrift | null;
}

/** The state of the indexes of all readers. Throws StoreUnavailable. */
export interface IndexStatusStore {
  /** The readers, ordered by name. */
  readers(signal?: AbortSignal): Promise<readonly IndexReader[]>;
  /**
   * Requests a rebuild of the index of one reader or of all; answers how many readers those are. An
   * index that is being filled, or whose rebuild was requested before, is rebuilt once.
   */
  requestRebuild(reader?: string): Promise<number>;
  /**
   * Removes readers without a heartbeat for longer than this, in seconds of the database's clock,
   * with their pending changes; answers how many.
   */
  forgetReaders(
    unseen: { readonly own: number; readonly shared: number },
    signal?: AbortSignal,
  ): Promise<number>;
}
