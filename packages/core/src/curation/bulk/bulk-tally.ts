import type { DomainError } from '../../domain-error.ts';
import type { JobProgress } from '../../jobs/job.ts';

/** The failures that a job reports. The counters count all. */
const MAX_ERRORS = 1000;

/** The counters and failures of a job so far. */
export interface BulkTally {
  readonly progress: JobProgress;
  /** The first failures. */
  readonly errors: readonly BulkError[];
}

export interface BulkError {
  readonly id: number;
  readonly error: Pick<DomainError, 'code' | 'message'>;
}

/** Adds a step to a tally. Records that are left out do not count. */
export function withStep(
  { progress, errors }: BulkTally,
  step: {
    readonly processed: number;
    readonly errors: readonly BulkError[];
    readonly leftOut: number;
  },
): BulkTally {
  const done = progress.done + step.processed;
  const failed = progress.failed + step.errors.length;
  const total = Math.max(progress.total - step.leftOut, done + failed);
  return {
    progress: { total, done, failed },
    errors: [...errors, ...step.errors].slice(0, MAX_ERRORS),
  };
}

/** The counters at the end. Records that were changed or deleted since the job was created do not count. */
export function finalProgress({ progress: { done, failed } }: BulkTally): JobProgress {
  return { total: done + failed, done, failed };
}
