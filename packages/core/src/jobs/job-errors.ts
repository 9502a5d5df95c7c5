import { DomainError } from '../domain-error.ts';
import { MAX_UNFINISHED_JOBS } from './job.ts';

export class JobUnfinished extends DomainError {
  readonly code = 'job_unfinished';

  constructor() {
    super('The job has not ended yet.');
  }
}

export class JobFinished extends DomainError {
  readonly code = 'job_finished';

  constructor() {
    super('The job has ended already.');
  }
}

export class NothingToRetry extends DomainError {
  readonly code = 'nothing_to_retry';

  constructor() {
    super('The job has no failed items that can be retried.');
  }
}

export class TooManyJobs extends DomainError {
  readonly code = 'too_many_jobs';

  constructor() {
    super(
      `At most ${MAX_UNFINISHED_JOBS} jobs of an environment may be unfinished: wait until one ends, or cancel one.`,
    );
  }
}

/** The claim has lost its item to another process, so that nothing may be written for the claim. */
export class ClaimLost extends DomainError {
  readonly code = 'in_progress';

  constructor() {
    super('Another process has taken over the item.');
  }
}
