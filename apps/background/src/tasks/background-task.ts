export interface BackgroundTask {
  /** The name in logs and metrics. */
  readonly name: string;
  /**
   * The pause between runs, in ms. The loop varies the pause by 10 %, so that replicas do not run at the same time.
   */
  readonly everyMs: number;
  /** The delay of a run after a wake, in ms; all wakes in this time cause one run. 50 if absent. */
  readonly gatherMs?: number;
  /**
   * Runs once. If `more` is true, the next run follows without a pause. A long run calls `works` to report that the task
   * does not fail anymore.
   */
  run(signal: AbortSignal, works?: () => void): Promise<{ readonly more: boolean }>;
}

/** The result of a run after which the loop pauses. */
export const ALL_DONE = { more: false } as const;
