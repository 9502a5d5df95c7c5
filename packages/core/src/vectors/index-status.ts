import type { ReaderState } from './change-log.ts';
import type { IndexDrift } from './index-drift.ts';

export interface IndexReader {
  /** `shared`, a name that is unique to the process with its own index, or `similarity`. */
  readonly name: string;
  readonly state: Exclude<ReaderState, 'missing'>;
  readonly backlog: number;
  /** The age of the oldest pending change, in seconds; 0 if none is pending. */
  readonly oldestSeconds: number;
  /** The number of points in the draft of the index; null without a draft. */
  readonly filling: number | null;
  /** The time when the index was last filled; null if it never was. */
  readonly filledAt: Date | null;
  /** The last heartbeat of the process that maintains the index. */
  readonly lastSeenAt: Date;
  /** The time since the last heartbeat, by the database's clock. */
  readonly unseenSeconds: number;
  /** The time when the whole index was last compared with the database; null if it never was. */
  readonly comparedAt: Date | null;
  /** The result of the last comparison; null without a comparison. */
  readonly drift: IndexDrift | null;
}

/**
 * Reads and manages the registrations of all readers, which are indexes that follow the database. All methods throw
 * StoreUnavailable.
 */
export interface IndexStatusStore {
  /** All indexes, sorted by name. */
  readers(signal?: AbortSignal): Promise<readonly IndexReader[]>;
  /** The reader that keeps suggestions, groups and mismatches; null if none is registered. */
  similarity(signal?: AbortSignal): Promise<IndexReader | null>;
  /**
   * Requests a rebuild of the index of one reader, or of all indexes. Returns the number of these readers. Repeated
   * requests, and requests during a fill, cause no additional rebuild.
   */
  requestRebuild(reader?: string): Promise<number>;
  /**
   * Removes readers without a recent heartbeat, and their pending changes. Returns their number.
   *
   * @param unseen the maximum time since the last heartbeat, in seconds: for an index of one process (`own`) and for
   *   the shared index
   */
  forgetReaders(
    unseen: { readonly own: number; readonly shared: number },
    signal?: AbortSignal,
  ): Promise<number>;
}
