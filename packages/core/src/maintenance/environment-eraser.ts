/** The progress of the deletion of rows. Tables come in a fixed order. */
export interface EraserProgress {
  /** The number of images and detections that were deleted. */
  readonly done: number;
  /** The number of tables at the beginning of the order that have no rows left; null if none has any. */
  readonly cleared: number | null;
}

/** Deletes the rows of environments, after their owners requested it. All methods throw StoreUnavailable. */
export interface EnvironmentEraser {
  /** Returns the environments whose deletion has not ended. The one whose last step is the oldest comes first. */
  pending(signal?: AbortSignal): Promise<readonly number[]>;
  /**
   * Deletes rows in a short transaction, without those that the deletion itself needs. Returns null while a transaction of
   * the environment is open, because rows that it writes may refer to those.
   *
   * @param cleared the number of tables that have no rows left, from the previous call
   */
  deleteRows(
    environmentId: number,
    cleared: number,
    signal?: AbortSignal,
  ): Promise<EraserProgress | null>;
  /** Whether an index has not removed all points of the environment. */
  isIndexed(environmentId: number, signal?: AbortSignal): Promise<boolean>;
  /** Ends the deletion. Returns false, and changes nothing, if the environment has rows again. */
  end(environmentId: number, signal?: AbortSignal): Promise<boolean>;
}
