import type { IndexDrift } from './index-drift.ts';
import type { VectorSpace } from './vector-index.ts';

/** A pending change. The index may differ from the database for this entity. */
export interface VectorChange {
  readonly id: number;
  readonly space: VectorSpace;
  /** The id of a detection, a reference or an identity, depending on the kind of the space. */
  readonly entityId: number;
}

/** The reader whose index all processes share. */
export const SHARED_READER = 'shared';

/**
 * The state of a reader. `missing`: the reader is not registered. `unfilled`: changes are recorded for it, but its
 * index lacks the rows from before the registration. `filled`: the index has all rows except pending changes, so
 * matching may use it. `rebuild_requested`: the index is filled, and a rebuild was requested.
 */
export type ReaderState = 'missing' | 'unfilled' | 'filled' | 'rebuild_requested';

/**
 * Stores the pending changes of one reader. A reader is an index that follows the database: the shared index, or the
 * index of one process. Each transaction records its changes for every registered reader. All methods throw
 * StoreUnavailable.
 */
export interface ChangeLog {
  /** {@link SHARED_READER}, or a name that is unique to this process. */
  readonly reader: string;
  /**
   * Registers the reader as `unfilled` and drops its pending changes. Once the promise resolves, all committed rows are
   * visible, and every later commit is recorded for the reader.
   */
  follow(signal?: AbortSignal): Promise<void>;
  /**
   * Marks the reader as filled, so that matching may use its index. This also ends a requested rebuild.
   *
   * @returns false, without a change, if the reader was registered again since this object's last
   *   {@link ChangeLog.follow} or {@link ChangeLog.state}, because that dropped changes which the index needs
   */
  filled(signal?: AbortSignal): Promise<boolean>;
  /** Reads the state of the reader, without the renewal of {@link ChangeLog.keepAlive}. */
  state(signal?: AbortSignal): Promise<ReaderState>;
  /**
   * Records a heartbeat of the process that maintains the index, so that the reader is not removed.
   *
   * @param filling the number of points in the draft of the index; null without a draft
   */
  keepAlive(filling: number | null, signal?: AbortSignal): Promise<ReaderState>;
  changes(limit: number, signal?: AbortSignal): Promise<readonly VectorChange[]>;
  /**
   * Removes changes that the index has applied. Returns the number of changes that were still pending. If it is lower
   * than the number of given changes, another process also writes to the index.
   */
  acknowledge(changes: readonly VectorChange[]): Promise<number>;
  /**
   * Records entities as changed, even if they do not exist.
   */
  note(space: VectorSpace, entityIds: readonly number[]): Promise<void>;
  backlog(signal?: AbortSignal): Promise<number>;
  /** Stores the result and time of a comparison of the whole index, unless the reader was removed. */
  compared(drift: IndexDrift): Promise<void>;
  /** Removes the reader and its pending changes when its process ends. */
  leave(): Promise<void>;
}
