export interface OutboxState {
  readonly rows: number;
  /** Age of the oldest writing transaction that is still open, in seconds; 0 without one. */
  readonly horizonAgeSeconds: number;
}

/** Chores over all environments; each may run in several processes at once. Throws StoreUnavailable. */
export interface MaintenanceStore {
  /** Folds the deltas of counters into one row each; answers how many rows it removed. */
  foldCounters(signal?: AbortSignal): Promise<number>;
  /** Removes events older than this that no consumer waits for; answers how many. */
  pruneOutbox(olderThan: Date, signal?: AbortSignal): Promise<number>;
  /** What the outbox holds, and what holds back its readers. */
  outboxState(signal?: AbortSignal): Promise<OutboxState>;
  /** Removes kept answers older than this; answers how many. */
  pruneIdempotencyKeys(olderThan: Date, signal?: AbortSignal): Promise<number>;
  /** Those of the media keys that no row refers to. */
  orphans(keys: readonly string[], signal?: AbortSignal): Promise<readonly string[]>;
  /** Media keys that rows refer to, in pages: ascending, from the first above `after`. */
  mediaKeys(
    page: { readonly after: string; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  /** Rows that contradict each other, one sentence each; none in a database that is whole. */
  contradictions(signal?: AbortSignal): Promise<readonly string[]>;
}
