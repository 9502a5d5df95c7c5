import { DomainError } from '../domain-error.ts';
import { MAX_UNFINISHED_JOBS } from './job.ts';

/** The job has not ended yet. */
export class JobUnfinished extends DomainError {
  readonly code = 'job_unfinished';

  constructor() {
    super('The job has not ended yet.');
  }
}

/** The job has ended already. */
export class JobFinished extends DomainError {
  readonly code = 'job_finished';

  constructor() {
    super('The job has ended already.');
  }
}

/** The environment has as many unfinished jobs as it may have. */
export class TooManyJobs extends DomainError {
  readonly code = 'too_many_jobs';

  constructor() {
    super(`At most ${MAX_UNFINISHED_JOBS} jobs of an environment may be unfinished.`);
  }
}

/** The claim does not hold its item any more: nothing may be written for it. */
export class ClaimLost extends DomainError {
  readonly code = 'in_progress';

  constructor() {
    super('Another process has taken the item over.');
  }
}
