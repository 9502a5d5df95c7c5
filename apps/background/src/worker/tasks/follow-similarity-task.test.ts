import { expect, test } from '@jest/globals';
import { followSimilarityTask } from './follow-similarity-task.ts';

interface Turn {
  readonly isBusy: boolean;
  readonly more: boolean;
}

/** Whether the task pauses after a turn. The turn aborts the signal, which ends a pause at once. */
async function pauses({ isBusy, more }: Turn): Promise<boolean> {
  const stop = new AbortController();
  const next = () => {
    stop.abort();
    return Promise.resolve(more);
  };
  const run = followSimilarityTask({ next }, () => isBusy).run(stop.signal);
  const failure = await run.then(
    (done) => expect(done).toEqual({ more }),
    (error: unknown) => error,
  );
  if (failure !== undefined) expect(failure).toMatchObject({ name: 'AbortError' });
  return failure !== undefined;
}

test('a busy process pauses after a turn if more is to do', async () => {
  expect(await pauses({ isBusy: true, more: true })).toBe(true);
  expect(await pauses({ isBusy: true, more: false })).toBe(false);
  expect(await pauses({ isBusy: false, more: true })).toBe(false);
});
