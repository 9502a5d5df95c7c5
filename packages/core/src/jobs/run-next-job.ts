import { DomainError } from '../domain-error.ts';
import type { JobProgress, JobType } from './job.ts';
import type { ClaimedJob, JobStore } from './job-store.ts';

/** The lease is 25 s: one heartbeat may fail before another process takes the job over. */
const HEARTBEAT_MS = 10_000;

/**
 * Runs a job from the progress that it has, and applies nothing twice. Calls `report` after each item;
 * throws only if it cannot continue, and the signal's reason on abort.
 */
export type JobWork<T extends JobType = JobType> = (
  job: ClaimedJob<T>,
  report: (progress: JobProgress) => void,
  signal: AbortSignal,
) => Promise<JobProgress>;

export interface JobDeps {
  readonly jobs: Pick<JobStore, 'claim' | 'report' | 'finish'>;
  readonly work: { readonly [T in JobType]?: JobWork<T> };
  readonly progressed: (type: JobType, progress: JobProgress) => void;
}

/**
 * Claims a job and runs it to its end; false if there was none to claim. On abort and on a
 * DomainError, as of an unavailable service, the job stays claimed until its lease expires, and is
 * then continued.
 *
 * @throws StoreUnavailable and other transient errors; the signal's reason on abort
 */
export async function runNextJob(deps: JobDeps, signal: AbortSignal): Promise<boolean> {
  const { jobs, work, progressed } = deps;
  const job = await jobs.claim(Object.keys(work) as JobType[]);
  if (job === null) return false;

  const { total, done, failed } = job;
  let progress: JobProgress = { total, done, failed };
  const lost = new AbortController();
  const beat = () => {
    jobs.report(job, progress).then(
      (isOurs) => isOurs || lost.abort(),
      // The next one tries again; if none succeeds the lease runs out.
      () => undefined,
    );
  };
  const heartbeat = setInterval(beat, HEARTBEAT_MS);
  const report = (now: JobProgress) => {
    progress = now;
    progressed(job.type, now);
  };
  try {
    progress = await workOf(work, job)(report, AbortSignal.any([signal, lost.signal]));
    await jobs.finish(job, { ...progress, error: null });
  } catch (error) {
    if (lost.signal.aborted) return true;
    signal.throwIfAborted();
    if (error instanceof DomainError) throw error;
    await jobs.finish(job, { ...progress, error: 'A defect of the service; its log says more.' });
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
  return true;
}

function workOf<T extends JobType>(work: JobDeps['work'], job: ClaimedJob<T>) {
  return (report: (progress: JobProgress) => void, signal: AbortSignal) =>
    work[job.type]!(job, report, signal);
}
