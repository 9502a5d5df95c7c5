import type { DeletingReader } from '../identities/deleting-identity.ts';

export interface OutboxState {
  /** The approximate number of events: the server's own estimate, which is at most a second old. */
  readonly rows: number;
  /**
   * The age of the oldest transaction, of any role, that may still write to the database, in
   * seconds; 0 without one. While it is open, the relay defers the events of later transactions.
   */
  readonly horizonAgeSeconds: number;
}

/** Maintenance of all environments; safe in several processes at once. Throws StoreUnavailable. */
export interface MaintenanceStore extends DeletingReader {
  /**
   * Folds the rows of each counter that has changed into one; answers how many rows were new. The
   * time is proportional to that number.
   */
  foldCounters(signal?: AbortSignal): Promise<number>;
  /**
   * Removes events that are older than this, in hours of the database's clock, and that all
   * consumers have consumed; answers how many.
   */
  pruneOutbox(hours: number, signal?: AbortSignal): Promise<number>;
  /** The size of the outbox, and how far its horizon lags. */
  outboxState(signal?: AbortSignal): Promise<OutboxState>;
  /** Removes stored answers older than this, in hours of the database's clock; answers how many. */
  pruneIdempotencyKeys(hours: number, signal?: AbortSignal): Promise<number>;
  /** Returns the media keys that no row refers to. */
  orphans(keys: readonly string[], signal?: AbortSignal): Promise<readonly string[]>;
  /** A page of the media keys that rows refer to: ascending, from the first above `after`. */
  mediaKeys(
    page: { readonly after: string; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  /** Rows that contradict each other, one sentence each; none in a consistent database. */
  contradictions(signal?: AbortSignal): Promise<readonly string[]>;
}
