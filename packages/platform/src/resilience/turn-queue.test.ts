import { describe, expect, test } from '@jest/globals';
import { TurnQueue } from './turn-queue.ts';

interface Item {
  readonly name: string;
}

function queueOf(...names: readonly string[]): TurnQueue<Item> {
  const queue = new TurnQueue<Item>();
  for (const name of names) push(queue, name);
  return queue;
}

/**
 * Pushes an item. Its name, such as `a1`, consists of an environment, a caller and a suffix that
 * distinguishes items.
 */
function push(queue: TurnQueue<Item>, name: string): Item {
  const item = { name };
  queue.push({ environment: name[0]!, caller: name[1]! }, item);
  return item;
}

function take(queue: TurnQueue<Item>, count = Infinity): string[] {
  const taken: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    taken.push(item.name);
    if (taken.length === count) break;
  }
  return taken;
}

describe('a queue that takes turns', () => {
  test('keeps the order of one caller', () => {
    expect(take(queueOf('a1x', 'a1y', 'a1z'))).toEqual(['a1x', 'a1y', 'a1z']);
  });

  test('alternates between environments', () => {
    expect(take(queueOf('a1x', 'a1y', 'a1z', 'b1x', 'b1y'))).toEqual([
      'a1x',
      'b1x',
      'a1y',
      'b1y',
      'a1z',
    ]);
  });

  test('alternates between the keys of an environment within its turns', () => {
    const queue = queueOf('a1x', 'a1y', 'a1z', 'a2x', 'b1x', 'b1y', 'b1z');
    expect(take(queue)).toEqual(['a1x', 'b1x', 'a2x', 'b1y', 'a1y', 'b1z', 'a1z']);
  });

  test('takes an environment next that comes beside a flood', () => {
    const queue = queueOf(...Array.from({ length: 20 }, () => 'a1'));
    take(queue, 7);
    push(queue, 'b1');
    expect(take(queue, 1)).toEqual(['b1']);
  });

  test('an environment that always comes back at once takes turns like the others', () => {
    const queue = queueOf('a1', 'a1', 'a1', 'a1', 'b1');
    const order: string[] = [];
    for (let i = 0; i < 6; i++) {
      const [name] = take(queue, 1);
      order.push(name!);
      if (name === 'b1') push(queue, 'b1');
    }
    expect(order.filter((name) => name === 'a1')).toHaveLength(3);
  });

  test('forgets a removed item, and says whether it was there', () => {
    const queue = queueOf('a1x');
    const item = push(queue, 'b1x');
    expect(queue.delete(item)).toBe(true);
    expect(queue.delete(item)).toBe(false);
    expect(queue.size).toBe(1);
    expect(queue.environments).toBe(1);
    expect(take(queue)).toEqual(['a1x']);
  });

  test('counts items and environments', () => {
    const queue = queueOf('a1x', 'a2x', 'b1x');
    expect([queue.size, queue.environments]).toEqual([3, 2]);
    take(queue);
    expect([queue.size, queue.environments]).toEqual([0, 0]);
  });
});
