import type { DeletingReader } from '../identities/deleting-identity.ts';

export interface OutboxState {
  /**
   * The approximate number of events in the outbox. It is the database server's estimate, which is at most a second
   * old.
   */
  readonly rows: number;
  /**
   * The age of the oldest open transaction that may write to the database, in seconds; 0 if no such transaction is open.
   * Events of later transactions are only published after it has ended.
   */
  readonly horizonAgeSeconds: number;
}

/** Maintains all environments. Several processes may call this at the same time. All methods throw StoreUnavailable. */
export interface MaintenanceStore extends DeletingReader {
  /** Merges the delta rows of each changed counter into one row. Returns how many delta rows there were. */
  foldCounters(signal?: AbortSignal): Promise<number>;
  /**
   * Removes events that all consumers have consumed and that are older than these hours of the database's clock. Returns
   * how many were removed.
   */
  pruneOutbox(hours: number, signal?: AbortSignal): Promise<number>;
  outboxState(signal?: AbortSignal): Promise<OutboxState>;
  /** Removes stored answers that are older than these hours of the database's clock. Returns how many were removed. */
  pruneIdempotencyKeys(hours: number, signal?: AbortSignal): Promise<number>;
  /** Returns those of the media keys to which no row refers. */
  orphans(keys: readonly string[], signal?: AbortSignal): Promise<readonly string[]>;
  /** Returns a page of the media keys to which rows refer, ascending, starting after `after`. */
  mediaKeys(
    page: { readonly after: string; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  /** Returns a sentence for each contradiction between rows. */
  contradictions(signal?: AbortSignal): Promise<readonly string[]>;
}
