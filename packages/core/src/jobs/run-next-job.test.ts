import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { StoreUnavailable } from '../store/store-errors.ts';
import type { JobProgress } from './job.ts';
import type { ClaimedJob, JobStore } from './job-store.ts';
import { runNextJob, type JobWork } from './run-next-job.ts';

const JOB: ClaimedJob = {
  id: 1,
  environmentId: 2,
  type: 'reembed',
  status: 'running',
  total: 3,
  done: 1,
  failed: 0,
  params: { modelId: 7, faces: 'all' },
  error: null,
  createdAt: new Date(0),
  finishedAt: null,
  token: 'a',
};

/** What a run asks of a store. */
class FakeJobs implements Pick<JobStore, 'claim' | 'report' | 'finish'> {
  waiting: ClaimedJob[] = [JOB];
  isOurs = true;
  reports: JobProgress[] = [];
  ends: Parameters<JobStore['finish']>[1][] = [];

  claim() {
    return Promise.resolve(this.waiting.shift() ?? null);
  }

  report(_: ClaimedJob, progress: JobProgress) {
    this.reports.push(progress);
    return Promise.resolve(this.isOurs);
  }

  finish(_: ClaimedJob, end: Parameters<JobStore['finish']>[1]) {
    this.ends.push(end);
    return Promise.resolve(true);
  }
}

let jobs: FakeJobs;
let stop: AbortController;

beforeEach(() => {
  jest.useFakeTimers();
  jobs = new FakeJobs();
  stop = new AbortController();
});

afterEach(() => {
  jest.useRealTimers();
});

function run(reembed: JobWork): Promise<boolean> {
  return runNextJob({ jobs, work: { reembed }, progressed: () => undefined }, stop.signal);
}

/** Work that lasts until it is told to end. */
function lasting(): { readonly work: JobWork; readonly end: (progress: JobProgress) => void } {
  const ended = Promise.withResolvers<JobProgress>();
  const work: JobWork = (_, report, signal) => {
    report({ total: 3, done: 2, failed: 0 });
    signal.addEventListener('abort', () => ended.reject(signal.reason as Error));
    return ended.promise;
  };
  return { work, end: ended.resolve };
}

test('without a job there is nothing to run', async () => {
  jobs.waiting = [];
  expect(await run(() => Promise.reject(new Error('not reached')))).toBe(false);
});

test('a job resumes where it was left and ends with its counts', async () => {
  const seen: ClaimedJob[] = [];
  const work: JobWork = (job) => {
    seen.push(job);
    return Promise.resolve({ total: 3, done: 2, failed: 1 });
  };
  expect(await run(work)).toBe(true);
  expect(seen).toEqual([JOB]);
  expect(jobs.ends).toEqual([{ total: 3, done: 2, failed: 1, error: null }]);
});

test('the lease is renewed every 10 seconds with the progress, until the end', async () => {
  const { work, end } = lasting();
  const running = run(work);
  await jest.advanceTimersByTimeAsync(25_000);
  expect(jobs.reports).toEqual([
    { total: 3, done: 2, failed: 0 },
    { total: 3, done: 2, failed: 0 },
  ]);
  end({ total: 3, done: 3, failed: 0 });
  await running;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(jobs.reports).toHaveLength(2);
});

test('a job that another process has taken over is left to it', async () => {
  const { work } = lasting();
  const running = run(work);
  jobs.isOurs = false;
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await running).toBe(true);
  expect(jobs.ends).toEqual([]);
});

test('a stop leaves the job for the next process', async () => {
  const { work } = lasting();
  const running = run(work);
  await jest.advanceTimersByTimeAsync(0);
  stop.abort(new Error('stop'));
  await expect(running).rejects.toThrow('stop');
  expect(jobs.ends).toEqual([]);
});

test('a service that is down does not fail the job', async () => {
  await expect(run(() => Promise.reject(new StoreUnavailable('away')))).rejects.toThrow('away');
  expect(jobs.ends).toEqual([]);
});

test('a defect fails the job without its text', async () => {
  await expect(run(() => Promise.reject(new TypeError('secret')))).rejects.toThrow('secret');
  expect(jobs.ends).toEqual([
    { total: 3, done: 1, failed: 0, error: 'A defect of the service; its log says more.' },
  ]);
});
