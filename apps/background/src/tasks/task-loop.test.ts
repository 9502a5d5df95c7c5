import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { BackgroundTask } from './background-task.ts';
import { TaskLoop } from './task-loop.ts';

let runs: number;
let failures: string[];
let outcome: () => Promise<{ more: boolean }>;
let loop: TaskLoop;
let ends: string[];
const outages = {
  failed: (task: string) => void ends.push(`${task} failed`),
  succeeded: (task: string) => void ends.push(`${task} succeeded`),
};

beforeEach(() => {
  jest.useFakeTimers();
  runs = 0;
  failures = [];
  ends = [];
  outcome = () => Promise.resolve({ more: false });
  const task: BackgroundTask = {
    name: 'task',
    everyMs: 1000,
    run: () => {
      runs++;
      return outcome();
    },
  };
  loop = new TaskLoop(task, {
    outages,
    taskFailed: (name) => failures.push(name),
  });
});

afterEach(async () => {
  await loop[Symbol.asyncDispose]();
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('a task runs at once and then at its interval, with a jitter of a tenth', async () => {
  loop.start();
  await pass(0);
  expect(runs).toBe(1);
  await pass(899);
  expect(runs).toBe(1);
  await pass(202);
  expect(runs).toBe(2);
});

test('while there is more to do it does not wait', async () => {
  outcome = () => Promise.resolve({ more: runs < 5 });
  loop.start();
  await pass(0);
  expect(runs).toBe(5);
});

test('a wake ends the wait soon, and further wakes share its run', async () => {
  loop.start();
  await pass(10);
  loop.wake();
  await pass(40);
  loop.wake();
  expect(runs).toBe(1);
  await pass(10);
  expect(runs).toBe(2);
  await pass(500);
  expect(runs).toBe(2);
});

test('a task may gather its wakes for longer', async () => {
  await using gathering = new TaskLoop(
    {
      name: 'gathering',
      everyMs: 1000,
      gatherMs: 250,
      run: () => {
        runs++;
        return outcome();
      },
    },
    { outages, taskFailed: () => undefined },
  );
  gathering.start();
  await pass(10);
  gathering.wake();
  await pass(240);
  expect(runs).toBe(1);
  await pass(10);
  expect(runs).toBe(2);
});

test('a wake during a run causes another one, as the run may have read already', async () => {
  const first = Promise.withResolvers<{ more: boolean }>();
  outcome = () => (runs === 1 ? first.promise : Promise.resolve({ more: false }));
  loop.start();
  await pass(0);
  loop.wake();
  loop.wake();
  expect(runs).toBe(1);
  first.resolve({ more: false });
  await pass(0);
  expect(runs).toBe(1);
  await pass(50);
  expect(runs).toBe(2);
});

test('a failure is counted and retried with increasing delays, despite wakes; a success resets them', async () => {
  outcome = () => Promise.reject(new Error('down'));
  loop.start();
  await pass(0);
  expect([runs, failures]).toEqual([1, ['task']]);
  expect(ends).toEqual(['task failed']);
  loop.wake();
  await pass(440);
  expect(runs).toBe(1);
  await pass(110);
  expect(runs).toBe(2);
  // The second run came after 450 to 550 ms. The third comes 900 to 1,100 ms later.
  await pass(799);
  expect(runs).toBe(2);
  await pass(302);
  expect(runs).toBe(3);
  await pass(60_000);
  expect(runs).toBeGreaterThanOrEqual(7);
  expect(runs).toBeLessThanOrEqual(9);
  outcome = () => Promise.resolve({ more: false });
  await pass(17_000);
  const before = runs;
  await pass(1110);
  expect(runs).toBeGreaterThan(before);
  expect(ends.at(-1)).toBe('task succeeded');
});

test('a stop waits for the run, and is no failure', async () => {
  const end = Promise.withResolvers<{ more: boolean }>();
  outcome = () => end.promise;
  loop.start();
  await pass(0);
  let hasEnded = false;
  const ending = loop[Symbol.asyncDispose]().then(() => (hasEnded = true));
  await pass(0);
  expect(hasEnded).toBe(false);
  end.resolve({ more: true });
  await ending;
  await pass(5000);
  expect([runs, failures]).toEqual([1, []]);
});

test('a run that the signal of the stop aborts is no failure either', async () => {
  const task: BackgroundTask = {
    name: 'task',
    everyMs: 1000,
    run: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  };
  const waiting = new TaskLoop(task, {
    outages,
    taskFailed: (name) => failures.push(name),
  });
  waiting.start();
  await pass(0);
  await waiting[Symbol.asyncDispose]();
  expect(failures).toEqual([]);
});
