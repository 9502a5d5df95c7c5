import { expect, test } from '@jest/globals';
import { ProblemError } from '../client/api-error.ts';
import type { Send } from '../client/create-send.ts';
import type { Job } from '../jobs/job.ts';
import { UndoJobError, undoOperation } from './undo-operation.ts';

const tooLarge = new ProblemError(
  { status: 400, code: 'invalid_request', detail: 'too many' } as ProblemError['problem'],
  null,
);

/** Takes back an operation that needs a job, whose end is given. */
const undoneAfter = (end: Partial<Job>) => {
  const send = (_: string, { query }: { query?: { async: boolean } }) =>
    query === undefined
      ? Promise.reject(tooLarge)
      : Promise.resolve({ body: { job_id: 5, total: 5000 } });
  const job = { id: 5, total: 5000, ...end } as Job;
  return undoOperation(send as unknown as Send, () => Promise.resolve(job), 1);
};

test('a job that was through has skipped what failed', async () => {
  const end = { status: 'done', error: null, done: 4990, failed: 10, operation_id: 9 } as const;
  expect(await undoneAfter(end)).toEqual({
    operationId: 9,
    undone: 4990,
    skipped: 10,
    error: null,
  });
});

test('a job that was stopped keeps what it undid, and skipped nothing', async () => {
  const result = await undoneAfter({
    status: 'failed',
    error: 'cancelled',
    done: 1000,
    failed: 4000,
    operation_id: 9,
  });
  expect(result).toMatchObject({ operationId: 9, undone: 1000, skipped: 0 });
  expect(result.error).toBeInstanceOf(UndoJobError);
  expect(result.error).toMatchObject({ job: 5, isStopped: true });
});

test('a job that failed has its reason', async () => {
  const result = await undoneAfter({
    status: 'failed',
    error: 'The disk is full.',
    done: 0,
    failed: 5000,
    operation_id: null,
  });
  expect(result.error).toMatchObject({ message: 'The disk is full.', isStopped: false });
});
