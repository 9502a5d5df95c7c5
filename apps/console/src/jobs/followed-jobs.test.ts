import { expect, test } from '@jest/globals';
import { FollowedJobs } from './followed-jobs.ts';

const job = (id: number) => ({ id, title: `job ${id}` });

test('jobs are followed in the order of their starts, each once', () => {
  const jobs = new FollowedJobs();
  let calls = 0;
  const stop = jobs.subscribe(() => calls++);
  jobs.follow(job(2));
  jobs.follow(job(1));
  jobs.follow(job(2));
  expect(jobs.running.map(({ id }) => id)).toEqual([2, 1]);
  expect(calls).toBe(2);
  stop();
  jobs.end(1);
  expect(calls).toBe(2);
});

test('a job that has ended is not followed again, for its result would be said twice', () => {
  const jobs = new FollowedJobs();
  jobs.follow(job(1));
  expect(jobs.hasEnded(1)).toBe(false);
  jobs.end(1);
  jobs.follow(job(1));
  expect(jobs.running).toEqual([]);
  expect(jobs.hasEnded(1)).toBe(true);
});
