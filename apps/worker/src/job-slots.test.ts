import { expect, test } from '@jest/globals';
import type { Job, JobType } from '@sightline/core/jobs/job';
import type { ClaimedItem } from '@sightline/core/jobs/job-item';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { JobSlots } from './job-slots.ts';

function itemOf(type: JobType, id: number): ClaimedItem {
  const claim = { environmentId: 1, jobId: id, index: 0, token: `${id}` };
  const job = { id, environmentId: 1, type, params: {} } as Job;
  return { claim, job, input: {}, uploadKey: null, deaths: 0 } as ClaimedItem;
}

test('archives that take hours hold up neither images nor models', async () => {
  const types = [
    'export',
    'import',
    'export',
    'model_download',
    'model_download',
    'activate_model',
    'reprocess',
  ] as const;
  const waiting = types.map((type, id) => itemOf(type, id));
  const begun: JobType[] = [];
  const { promise: allBegun, resolve } = Promise.withResolvers<null>();
  const endless = (({ job }, { signal }) => {
    begun.push(job.type);
    if (begun.length === types.length - 1) resolve(null);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }) as JobWork;
  await using slots = new JobSlots({
    concurrency: 1,
    works: Object.fromEntries(types.map((type) => [type, endless])),
    jobs: {
      claim: (wanted) => {
        const at = waiting.findIndex(({ job }) => wanted.includes(job.type));
        return Promise.resolve(at === -1 ? null : waiting.splice(at, 1)[0]!);
      },
      renew: () => Promise.resolve('held'),
      report: () => Promise.resolve('held'),
      release: () => Promise.resolve(),
    },
    endItem: () => Promise.resolve(),
    media: { remove: () => Promise.resolve() },
    outages: { failed: () => undefined, succeeded: () => undefined },
    taskFailed: () => undefined,
  });
  slots.start();
  await allBegun;
  expect(begun.toSorted()).toEqual([
    'activate_model',
    'export',
    'import',
    'model_download',
    'model_download',
    'reprocess',
  ]);
  expect(waiting.map(({ job }) => job.type)).toEqual(['export']);
});
