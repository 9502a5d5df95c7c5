import type { IndexDrift } from './index-drift.ts';
import type { VectorSpace } from './vector-index.ts';

/** A note that an index may not agree with the database about one entity. */
export interface VectorChange {
  readonly id: number;
  readonly space: VectorSpace;
  /** Of the detection, the reference or the identity, by the kind of the space. */
  readonly entityId: number;
}

/** The reader whose index all processes share. */
export const SHARED_READER = 'shared';

/**
 * `missing`: not registered, or no longer. `unfilled`: changes are noted, but the index does not hold
 * what was there before. `filled`: matching may use the index, for all but what is noted.
 * `rebuild_requested`: filled, and somebody asked for it to be made anew.
 */
export type ReaderState = 'missing' | 'unfilled' | 'filled' | 'rebuild_requested';

/**
 * What the index of one reader has to be told. A reader is an index that is kept in step with the
 * database: the one that all processes share, or that of one process. Changes are noted for each
 * reader that is registered, in the transaction that makes them. Throws StoreUnavailable.
 */
export interface ChangeLog {
  /** Of the reader: {@link SHARED_READER}, or a name that no other process has. */
  readonly reader: string;
  /**
   * Registers the reader anew, as `unfilled` and without notes. When it settles, every change that is
   * committed from then on is noted for it, and all earlier ones can be read.
   */
  follow(signal?: AbortSignal): Promise<void>;
  /**
   * Says that the index holds all rows but for what is noted: matching may use it from now on, and
   * whoever asked for a rebuild has it. Answers false, and changes nothing, unless the reader is still
   * registered as this object saw it in its last {@link ChangeLog.follow} or {@link ChangeLog.state}:
   * somebody who registered it anew since then has forgotten notes that this index needs.
   */
  filled(signal?: AbortSignal): Promise<boolean>;
  /** How the reader stands; unlike {@link ChangeLog.keepAlive} this says nothing about its keeper. */
  state(signal?: AbortSignal): Promise<ReaderState>;
  /**
   * Keeps the reader from being forgotten: of the process that keeps its index.
   *
   * @param filling how many points a draft of the index has so far; null while none is filled
   */
  keepAlive(filling: number | null, signal?: AbortSignal): Promise<ReaderState>;
  /** The oldest changes that nobody has brought to the index. */
  changes(limit: number, signal?: AbortSignal): Promise<readonly VectorChange[]>;
  /**
   * Forgets changes that the index has; answers how many were still noted. Fewer: somebody else was
   * at work on the same index.
   */
  acknowledge(changes: readonly VectorChange[]): Promise<number>;
  /**
   * Notes that the index may not agree about these entities, which may exist or not: as a change
   * would have done.
   */
  note(space: VectorSpace, entityIds: readonly number[]): Promise<void>;
  /** How many changes wait. */
  backlog(signal?: AbortSignal): Promise<number>;
  /** Keeps what a comparison of the whole index found, and when; a forgotten reader is no error. */
  compared(drift: IndexDrift): Promise<void>;
  /** Takes the reader away, with its notes: of a process that ends. */
  leave(): Promise<void>;
}
