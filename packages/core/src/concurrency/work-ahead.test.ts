import { expect, test } from '@jest/globals';
import { workAhead } from './work-ahead.ts';

/** Creates work that does not end before the test ends it. */
function handWork() {
  const begun: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<number>>();
  const work = (item: number): Promise<number> => {
    begun.push(item);
    const end = Promise.withResolvers<number>();
    ends.set(item, end);
    return end.promise;
  };
  return { begun, work, end: (item: number) => ends.get(item)!.resolve(item), ends };
}

const upTo = (most: number) => ({ weigh: (item: number) => item, most });

test('results come in the order of the items, whichever is ready first', async () => {
  const { work, end } = handWork();
  const results = workAhead([3, 1, 2], upTo(10), work);
  const first = results.next();
  end(2);
  end(1);
  end(3);
  expect(await first).toEqual({ value: 3, done: false });
  expect(await Array.fromAsync(results)).toEqual([1, 2]);
});

test('the items ahead and the item of the reader weigh no more than the limit', async () => {
  const { begun, work, end } = handWork();
  const results = workAhead([3, 4, 2, 5], upTo(8), work);
  const first = results.next();
  expect(begun).toEqual([3, 4]);
  end(3);
  await first;
  expect(begun).toEqual([3, 4]);
  const second = results.next();
  end(4);
  await second;
  expect(begun).toEqual([3, 4, 2]);
});

test('a single item may weigh more', async () => {
  const results = workAhead([100, 1], upTo(8), (item) => Promise.resolve(item));
  expect(await Array.fromAsync(results)).toEqual([100, 1]);
});

test('an error is thrown in place of its result, after all started work has ended', async () => {
  const results = workAhead([1, 2, 3], upTo(10), (item) =>
    item === 2 ? Promise.reject(new Error('two')) : Promise.resolve(item),
  );
  expect(await results.next()).toEqual({ value: 1, done: false });
  await expect(results.next()).rejects.toThrow('two');
});

test('a reader that stops early waits for the started work', async () => {
  const { begun, work, end } = handWork();
  const results = workAhead([1, 2, 3], upTo(3), work);
  const first = results.next();
  end(1);
  await first;
  let isOver = false;
  const leaving = results.return(undefined).then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  end(2);
  await leaving;
  expect(begun).toEqual([1, 2]);
});
