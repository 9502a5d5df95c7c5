import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '../store/store-errors.ts';
import { FeedWatch } from './feed-watch.ts';

const never = new AbortController().signal;

/** Heads that a test sets, and the environments of each read. */
function openHeads() {
  const heads = new Map<number, number>();
  const reads: (readonly number[])[] = [];
  const failures: Error[] = [];
  const logged: unknown[] = [];
  const watch = new FeedWatch(
    {
      heads: (ids) => {
        reads.push(ids);
        const failure = failures.shift();
        return failure === undefined ? Promise.resolve(heads) : Promise.reject(failure);
      },
    },
    (error) => logged.push(error),
  );
  return { heads, reads, failures, logged, watch };
}

test('one read wakes the callers of all feeds that have entries', async () => {
  const { heads, reads, watch } = openHeads();
  heads.set(1, 7).set(2, 7);
  const wait = (environmentId: number, after: number) =>
    watch.wait({ environmentId, after, ms: 10_000 }, never);
  const [first, second, other] = [wait(1, 6), wait(1, 7), wait(2, 0)];
  expect(await first).toBe('changed');
  expect(await other).toBe('changed');
  expect(reads).toEqual([[1, 2]]);
  heads.set(1, 8);
  expect(await second).toBe('changed');
  const count = reads.length;
  await sleep(500);
  expect(reads).toHaveLength(count);
});

test('a wait ends after its time, with its signal, and at the end of the process', async () => {
  const { watch } = openHeads();
  const about = { environmentId: 1, after: 0 };
  expect(await watch.wait({ ...about, ms: 10 }, never)).toBe('elapsed');
  const abort = new AbortController();
  const aborted = watch.wait({ ...about, ms: 10_000 }, abort.signal);
  abort.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  const ended = watch.wait({ ...about, ms: 10_000 }, never);
  watch.end();
  expect(await ended).toBe('ended');
  expect(await watch.wait({ ...about, ms: 10_000 }, never)).toBe('ended');
});

test('a failed read is repeated, and reported unless the database is down', async () => {
  const { heads, failures, logged, watch } = openHeads();
  const bug = new Error('a bug');
  failures.push(new StoreUnavailable('down'), bug);
  heads.set(1, 1);
  const wait = { environmentId: 1, after: 0, ms: 10_000 };
  expect(await watch.wait(wait, never)).toBe('changed');
  expect(logged).toEqual([bug]);
});
