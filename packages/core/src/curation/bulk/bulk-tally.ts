import type { DomainError } from '../../domain-error.ts';
import type { JobProgress } from '../../jobs/job.ts';
import type { TaskOutcome } from '../carry-out-tasks.ts';
import { LeftOut } from '../condition.ts';

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

export interface BulkStep {
  readonly processed: number;
  readonly errors: readonly BulkError[];
  /** The number of records that were changed since they were chosen. */
  readonly leftOut: number;
}

/** Returns the step of a group of tasks. */
export function stepOf(
  tasks: readonly { readonly id: number }[],
  outcomes: readonly TaskOutcome[],
): BulkStep {
  const refused = outcomes.flatMap((outcome, i) =>
    'error' in outcome ? [{ id: tasks[i]!.id, error: outcome.error }] : [],
  );
  const errors = refused.filter(({ error }) => !(error instanceof LeftOut));
  return {
    processed: tasks.length - refused.length,
    errors,
    leftOut: refused.length - errors.length,
  };
}

/** Adds a step to a tally. Records that are left out do not count. */
export function withStep({ progress, errors }: BulkTally, step: BulkStep): BulkTally {
  const done = progress.done + step.processed;
  const failed = progress.failed + step.errors.length;
  const total = Math.max(progress.total - step.leftOut, done + failed);
  return {
    progress: { total, done, failed },
    errors: [...errors, ...step.errors].slice(0, MAX_ERRORS),
  };
}

/** The tally of a job whose transactions each deal with a group. A transaction may run several times. */
export class RunningTally {
  #before: BulkTally;
  #latest: BulkTally;
  #group: unknown = null;

  constructor(tally: BulkTally) {
    this.#before = tally;
    this.#latest = tally;
  }

  get latest(): BulkTally {
    return this.#latest;
  }

  /** Returns the tally with the step of a group, which replaces an earlier step of the same group. */
  with(group: unknown, step: BulkStep): BulkTally {
    if (group !== this.#group) {
      this.#before = this.#latest;
      this.#group = group;
    }
    this.#latest = withStep(this.#before, step);
    return this.#latest;
  }
}

/** The counters at the end. Records that were changed or deleted since the job was created do not count. */
export function finalProgress({ progress: { done, failed } }: BulkTally): JobProgress {
  return { total: done + failed, done, failed };
}
