import { JOB_TYPES } from '@sightline/core/jobs/job';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Counter, Gauge } from 'prom-client';
import type { WorkerObserver } from '../worker-observer.ts';

export function createJobMetrics(
  registry: MetricsRegistry,
): Pick<WorkerObserver, 'jobItemEnded' | 'jobsMeasured'> {
  const registers = [registry];
  const ended = new Counter({
    name: 'sightline_job_items_ended_total',
    help: 'Job items that this process has finished, by type of job and outcome.',
    labelNames: ['type', 'outcome'],
    registers,
  });
  const gauge = (name: string, help: string, labels: readonly string[] = []) =>
    new Gauge({ name, help, labelNames: ['type', ...labels], registers });
  const jobs = gauge('sightline_jobs_unfinished', 'Jobs that have not ended, by type.');
  const items = gauge(
    'sightline_job_items',
    'Items of unfinished jobs, by type of job and state.',
    ['state'],
  );
  const still = gauge(
    'sightline_job_still_seconds',
    'Seconds since the last progress of the job that has waited longest, by type; 0 without such a job.',
  );
  return {
    jobItemEnded: (type, outcome) => ended.inc({ type, outcome }),
    jobsMeasured: ({ unfinished }) => {
      for (const type of JOB_TYPES) {
        const { total, done, failed, ...state } =
          unfinished.find((one) => one.type === type) ?? NOTHING;
        jobs.set({ type }, state.jobs);
        items.set({ type, state: 'done' }, done);
        items.set({ type, state: 'failed' }, failed);
        items.set({ type, state: 'open' }, total - done - failed);
        still.set({ type }, Math.max(state.stillSeconds, state.waitingSeconds));
      }
    },
  };
}

const NOTHING = { jobs: 0, total: 0, done: 0, failed: 0, stillSeconds: 0, waitingSeconds: 0 };
