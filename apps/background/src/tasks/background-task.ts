/** A task that a process runs repeatedly. */
export interface BackgroundTask {
  /** Its name in logs and metrics. */
  readonly name: string;
  /** Pause between runs, in ms. The loop varies it by 10 %, so that replicas do not run in step. */
  readonly everyMs: number;
  /** Wakes within this time share one run, in ms; 50 if absent. */
  readonly gatherMs?: number;
  /**
   * Runs once; `more` requests the next run without a pause. A run that never ends calls `works` once it has
   * succeeded, because its return cannot say so.
   */
  run(signal: AbortSignal, works?: () => void): Promise<{ readonly more: boolean }>;
}

/** The result of a run that left nothing to do. */
export const ALL_DONE = { more: false } as const;
