import type { IndexDrift } from './index-drift.ts';
import type { VectorSpace } from './vector-index.ts';

/** A pending change: an index may not agree with the database about this entity. */
export interface VectorChange {
  readonly id: number;
  readonly space: VectorSpace;
  /** The id of the detection, the reference or the identity, by the kind of the space. */
  readonly entityId: number;
}

/** The reader whose index all processes share. */
export const SHARED_READER = 'shared';

/**
 * `missing`: not registered. `unfilled`: changes are noted, but the index lacks the rows from before
 * the registration. `filled`: matching may use the index, except for pending changes.
 * `rebuild_requested`: filled, and a rebuild was requested.
 */
export type ReaderState = 'missing' | 'unfilled' | 'filled' | 'rebuild_requested';

/**
 * The pending changes of one reader. A reader is an index that follows the database: the one that all
 * processes share, or that of one process. Each transaction notes its changes for every registered
 * reader. Throws StoreUnavailable.
 */
export interface ChangeLog {
  /** The name of the reader: {@link SHARED_READER}, or one that no other process has. */
  readonly reader: string;
  /**
   * Registers the reader again, as `unfilled` and without pending changes. When it settles, every
   * change that commits from then on is noted for it, and all earlier changes can be read.
   */
  follow(signal?: AbortSignal): Promise<void>;
  /**
   * Records that the index holds all rows except pending changes: matching may use it from now on,
   * and a requested rebuild is done. Answers false and changes nothing if the registration is not
   * the one that this object saw in its last {@link ChangeLog.follow} or {@link ChangeLog.state}: a
   * new registration by another process has dropped changes that this index needs.
   */
  filled(signal?: AbortSignal): Promise<boolean>;
  /** The state of the reader; unlike {@link ChangeLog.keepAlive}, this does not renew it. */
  state(signal?: AbortSignal): Promise<ReaderState>;
  /**
   * Renews the reader, so that it is not removed; called by the process that maintains its index.
   *
   * @param filling points in the draft of the index; null without a draft
   */
  keepAlive(filling: number | null, signal?: AbortSignal): Promise<ReaderState>;
  /** The oldest pending changes. */
  changes(limit: number, signal?: AbortSignal): Promise<readonly VectorChange[]>;
  /**
   * Removes changes that the index has; answers how many were still pending. If fewer than given,
   * another process writes to the same index.
   */
  acknowledge(changes: readonly VectorChange[]): Promise<number>;
  /**
   * Notes these entities, which may exist or not, as changed: the index may not agree about them.
   */
  note(space: VectorSpace, entityIds: readonly number[]): Promise<void>;
  /** How many changes are pending. */
  backlog(signal?: AbortSignal): Promise<number>;
  /** Stores the result and time of a comparison of the whole index; ignored for a removed reader. */
  compared(drift: IndexDrift): Promise<void>;
  /** Removes the reader of a process that ends, with its pending changes. */
  leave(): Promise<void>;
}
