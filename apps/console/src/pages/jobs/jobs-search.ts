import type { Job } from '../../jobs/job.ts';
import { JOB_STATUSES, JOB_TYPES } from './job.ts';

/** The state of the page Jobs, which is in its address. */
export interface JobsSearch {
  readonly status?: Job['status'] | undefined;
  readonly type?: Job['type'] | undefined;
}

/** All members are present, because the router keeps parameters that are absent here. */
export function parseJobsSearch({ status, type }: Record<string, unknown>): JobsSearch {
  return { status: statusOf(status), type: JOB_TYPES.find((each) => each === type) };
}

/** The state of the page of one job. */
export interface JobSearch {
  /** Only items with this status are listed. */
  readonly items?: Job['status'] | undefined;
}

export function parseJobSearch({ items }: Record<string, unknown>): JobSearch {
  return { items: statusOf(items) };
}

function statusOf(raw: unknown): Job['status'] | undefined {
  return JOB_STATUSES.find((each) => each === raw);
}
