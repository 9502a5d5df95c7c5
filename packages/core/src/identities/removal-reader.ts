/** An identity whose removal has begun and not ended. */
export interface Removal {
  readonly environmentId: number;
  readonly identityId: number;
}

export interface RemovalReader {
  /** Removals that take several transactions and have not ended, of all environments. */
  unfinishedRemovals(limit: number, signal?: AbortSignal): Promise<readonly Removal[]>;
}
