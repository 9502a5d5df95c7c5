import { expect, test } from '@jest/globals';
import type { JobProgress } from '@sightline/core/jobs/job';
import type { ClaimedJob } from '@sightline/core/jobs/job-store';
import type { JobWork } from '@sightline/core/jobs/run-next-job';
import type { Logger } from '@sightline/platform/logging/logger';
import { logReembedding } from './log-reembedding.ts';

const JOB: ClaimedJob = {
  ...{ id: 1, environmentId: 7, type: 'reembed', status: 'running', total: 3, done: 0, failed: 0 },
  params: { modelId: 2, faces: 'enrolled' },
  ...{ error: null, createdAt: new Date(), finishedAt: null, token: 'ours' },
};

/** What is logged of work that reports these, and what is reported on. */
async function run(reports: readonly JobProgress[]) {
  const lines: unknown[] = [];
  const passedOn: JobProgress[] = [];
  const log = (fields: object, message: string) => void lines.push([fields, message]);
  const work: JobWork = (_, report) => {
    for (const each of reports) report(each);
    return Promise.resolve(reports.at(-1) ?? { total: 0, done: 0, failed: 0 });
  };
  const logged = logReembedding(work, { info: log, warn: log } as unknown as Logger);
  await logged(JOB, (now) => void passedOn.push(now), new AbortController().signal);
  return { lines, passedOn };
}

test('work is told of when it has begun, and at its end', async () => {
  const reports = [
    { total: 3, done: 1, failed: 0 },
    { total: 3, done: 2, failed: 1 },
  ];
  const { lines, passedOn } = await run(reports);
  expect(passedOn).toEqual(reports);
  expect(lines).toEqual([
    [
      { environment_id: 7, faces: 'enrolled', images: 3 },
      expect.stringMatching(/^the face model is another one than before: .* nobody is matched$/),
    ],
    [
      { environment_id: 7, faces: 'enrolled', images: 2, failed: 1 },
      'stored faces are embedded anew',
    ],
  ]);
});

test('work that finds nothing to do is not', async () => {
  expect((await run([])).lines).toEqual([]);
});
