/** A chore that the worker does again and again. */
export interface BackgroundTask {
  /** As logs and metrics name it. */
  readonly name: string;
  /** Rest between runs, in ms; it varies a little, so that replicas do not run in step. */
  readonly everyMs: number;
  /** Does a piece of work; `more` asks for the next run without a rest. */
  run(signal: AbortSignal): Promise<{ readonly more: boolean }>;
}

/** What a run answers that has done all there was. */
export const ALL_DONE = { more: false } as const;
