import { expect, test } from '@jest/globals';
import type { JobProgress } from '@sightline/core/jobs/job';
import type { ClaimedJob } from '@sightline/core/jobs/job-store';
import type { JobWork } from '@sightline/core/jobs/run-next-job';
import type { Logger } from '@sightline/platform/logging/logger';
import { logReembedding } from './log-reembedding.ts';

const JOB: ClaimedJob = {
  id: 1,
  environmentId: 7,
  type: 'reembed',
  status: 'running',
  total: 3,
  done: 0,
  failed: 0,
  params: { modelId: 2, faces: 'enrolled' },
  error: null,
  createdAt: new Date(),
  finishedAt: null,
  token: 'ours',
};

/** Runs work that reports this progress; returns what is logged and what is passed on. */
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

test('begin and end of a job are logged', async () => {
  const reports = [
    { total: 3, done: 1, failed: 0 },
    { total: 3, done: 2, failed: 1 },
  ];
  const { lines, passedOn } = await run(reports);
  expect(passedOn).toEqual(reports);
  expect(lines).toEqual([
    [
      { environment_id: 7, faces: 'enrolled', images: 3 },
      expect.stringMatching(
        /^the face model has changed: .* matching is refused until this is done$/,
      ),
    ],
    [
      { environment_id: 7, faces: 'enrolled', images: 2, failed: 1 },
      'the embeddings of stored faces are recomputed',
    ],
  ]);
});

test('a job without work is not logged', async () => {
  expect((await run([])).lines).toEqual([]);
});
