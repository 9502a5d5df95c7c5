import { createHook } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { forEachConcurrently } from './for-each-concurrently.ts';

/** Items that a source yields one by one, and which end when the test says so. */
function openItems() {
  const started: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<undefined>>();
  const work = (item: number): Promise<void> => {
    started.push(item);
    const end = Promise.withResolvers<undefined>();
    ends.set(item, end);
    return end.promise;
  };
  const end = async (item: number): Promise<void> => {
    ends.get(item)!.resolve(undefined);
    await setImmediate();
  };
  const fail = async (item: number): Promise<void> => {
    ends.get(item)!.reject(new Error(`item ${item}`));
    await setImmediate();
  };
  return { started, work, end, fail };
}

async function* numbers(count: number): AsyncGenerator<number> {
  for (let i = 1; i <= count; i++) yield await Promise.resolve(i);
}

const settled = async (run: Promise<void>): Promise<string> => {
  const outcome = run.then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );
  return Promise.race([outcome, setImmediate('pending')]);
};

describe('forEachConcurrently', () => {
  test('starts items in their order, and the next one when any of them has ended', async () => {
    const { started, work, end } = openItems();
    const run = forEachConcurrently(numbers(4), 2, work);
    await setImmediate();
    expect(started).toEqual([1, 2]);
    await end(2);
    expect(started).toEqual([1, 2, 3]);
    await end(3);
    await end(4);
    expect(await settled(run)).toBe('pending');
    await end(1);
    expect(await settled(run)).toBe('done');
  });

  test('starts nothing after an error, and rejects after the running items have ended', async () => {
    const { started, work, end, fail } = openItems();
    const run = forEachConcurrently(numbers(9), 3, work);
    const outcome = settled(run.finally(() => started.push(0)));
    await setImmediate();
    await fail(2);
    await end(1);
    expect(started).toEqual([1, 2, 3]);
    await end(3);
    await outcome;
    expect(started).toEqual([1, 2, 3, 0]);
    expect(await settled(run)).toBe('item 2');
  });

  test('rejects although the item failed while the next one was awaited', async () => {
    const { started, work, fail } = openItems();
    const next = Promise.withResolvers<undefined>();
    async function* items(): AsyncGenerator<number> {
      yield 1;
      await next.promise;
      yield 2;
    }
    const run = forEachConcurrently(items(), 2, work);
    await setImmediate();
    await fail(1);
    next.resolve(undefined);
    expect(await settled(run)).toBe('item 1');
    expect(started).toEqual([1]);
  });

  test('waits for the running items if the source fails', async () => {
    const { work, end } = openItems();
    async function* items(): AsyncGenerator<number> {
      yield 1;
      await Promise.reject(new Error('source'));
    }
    const run = forEachConcurrently(items(), 2, work);
    expect(await settled(run)).toBe('pending');
    await end(1);
    expect(await settled(run)).toBe('source');
  });

  test('makes no promise that waits for items that take long', async () => {
    const most = 50;
    const [few, many] = [100, 300];
    const promisesOf = async (count: number): Promise<number> => {
      const long = Promise.withResolvers<undefined>();
      let promises = 0;
      const init = (_id: number, type: string): void => {
        if (type === 'PROMISE') promises++;
      };
      const hook = createHook({ init }).enable();
      const work = (item: number): Promise<void> => (item < most ? long.promise : setImmediate());
      const run = forEachConcurrently(numbers(count), most, work);
      for (let i = 0; i < 2 * many; i++) await setImmediate();
      hook.disable();
      long.resolve(undefined);
      await run;
      return promises;
    };
    const eachItem = ((await promisesOf(many)) - (await promisesOf(few))) / (many - few);
    expect(eachItem).toBeLessThan(most / 2);
  });
});
