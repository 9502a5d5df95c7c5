import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import fc from 'fast-check';
import { WorkQueue } from './work-queue.ts';

const NEVER = new AbortController().signal;

let clock: FakeClock;
let queue: WorkQueue;
beforeEach(() => {
  clock = new FakeClock();
  queue = new WorkQueue(clock);
});

/** The key that a worker got; null if the worker still waits. */
async function taken(work: Promise<string>): Promise<string | null> {
  return Promise.race([work, turn(null)]);
}

test('workers get each key once, in order', async () => {
  for (const key of ['a', 'b', 'a']) queue.add(key);
  expect(queue.depth).toBe(2);
  expect([await queue.take(NEVER), await queue.take(NEVER)]).toEqual(['a', 'b']);
  expect(await taken(queue.take(NEVER))).toBeNull();
});

test('namespaces take turns, regardless of their numbers of keys', async () => {
  for (let at = 0; at < 1000; at++) queue.add(`greedy/${at}`);
  queue.add('modest/a');
  queue.add('modest/b');
  const next = async () => queue.take(NEVER);
  expect([await next(), await next(), await next(), await next(), await next()]).toEqual([
    'greedy/0',
    'modest/a',
    'greedy/1',
    'modest/b',
    'greedy/2',
  ]);
  expect(queue.depth).toBe(997);
});

test('a key that is added while a worker has it is queued again once the worker is done', async () => {
  queue.add('a');
  await queue.take(NEVER);
  queue.add('a');
  const again = queue.take(NEVER);
  expect(await taken(again)).toBeNull();
  queue.done('a');
  expect(await again).toBe('a');
});

test('the shorter of two delays counts, and adding the key at once cancels it', async () => {
  queue.addAfter('a', 1000);
  queue.addAfter('a', 100);
  queue.addAfter('a', 5000);
  const next = queue.take(NEVER);
  await clock.pass(99);
  expect(await taken(next)).toBeNull();
  await clock.pass(1);
  expect(await next).toBe('a');
  queue.done('a');
  queue.addAfter('a', 100);
  queue.add('a');
  expect(await queue.take(NEVER)).toBe('a');
  queue.done('a');
  await clock.pass(10_000);
  expect(queue.depth).toBe(0);
});

test('pauses grow with each failure up to a minute, until a success', async () => {
  const pauses: number[] = [];
  for (let failure = 0; failure < 10; failure++) {
    queue.retry('a');
    const began = clock.now();
    while (queue.depth === 0) await clock.pass(10);
    pauses.push(clock.now() - began);
    await queue.take(NEVER);
    queue.done('a');
  }
  expect(pauses[0]).toBeLessThanOrEqual(610);
  expect(pauses[4]).toBeGreaterThan(6_000);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(72_010);
  queue.succeeded('a');
  queue.retry('a');
  await clock.pass(610);
  expect(queue.depth).toBe(1);
});

test('an aborted worker takes no key', async () => {
  const stop = new AbortController();
  const left = queue.take(stop.signal);
  stop.abort(new Error('stopped'));
  await expect(left).rejects.toThrow('stopped');
  queue.add('a');
  expect(await queue.take(NEVER)).toBe('a');
});

interface Step {
  readonly does: 'add' | 'addAfter' | 'take' | 'done' | 'pass';
  readonly at: number;
}

test('no two workers have the same key, and no added key is lost', async () => {
  const step = fc.record({
    does: fc.constantFrom<Step['does']>('add', 'addAfter', 'take', 'done', 'pass'),
    at: fc.nat(3),
  });
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), holds), { numRuns: 200 });
});

async function holds(steps: readonly Step[]): Promise<void> {
  clock = new FakeClock();
  queue = new WorkQueue(clock);
  const working: string[] = [];
  /** The keys that were added and not taken since. */
  const owed = new Set<string>();
  const take = async (): Promise<boolean> => {
    if (queue.depth === 0) return false;
    const key = await queue.take(NEVER);
    expect(working).not.toContain(key);
    working.push(key);
    owed.delete(key);
    return true;
  };
  const act = {
    add: (at: number) => {
      owed.add(`k${at}`);
      queue.add(`k${at}`);
    },
    addAfter: (at: number) => {
      owed.add(`k${at}`);
      queue.addAfter(`k${at}`, at * 100);
    },
    take,
    done: () => {
      const key = working.shift();
      if (key !== undefined) queue.done(key);
    },
    pass: (at: number) => clock.pass(at * 50),
  };
  for (const { does, at } of steps) await act[does](at);
  await clock.pass(1_000);
  while (working.length > 0) act.done();
  while (await take()) act.done();
  expect([...owed]).toEqual([]);
}
