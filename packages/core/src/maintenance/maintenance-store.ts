import type { DeletingReader } from '../identities/deleting-identity.ts';

export interface OutboxState {
  /** About how many: the server's own estimate, which follows within a second. */
  readonly rows: number;
  /**
   * Age of the oldest transaction that may still write to the database, of whichever role, in seconds;
   * 0 without one. While it is open, the relay waits with events of later transactions.
   */
  readonly horizonAgeSeconds: number;
}

/** Maintenance of all environments; safe in several processes at once. Throws StoreUnavailable. */
export interface MaintenanceStore extends DeletingReader {
  /**
   * Folds the rows of each counter that has changed into one; answers how many rows were new. Takes
   * time in proportion to those.
   */
  foldCounters(signal?: AbortSignal): Promise<number>;
  /**
   * Removes events older than this, in hours of the database's clock, that all consumers have taken; answers
   * how many.
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
