import { describe, expect, test } from '@jest/globals';
import { mapConcurrently } from './map-concurrently.ts';

const tick = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('mapConcurrently', () => {
  test('keeps the order and the bound', async () => {
    let running = 0;
    let most = 0;
    const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (item, index) => {
      most = Math.max(most, ++running);
      for (let i = 0; i < item; i++) await tick();
      running--;
      return `${index}:${item}`;
    });
    expect(results).toEqual(['0:5', '1:1', '2:4', '3:2', '4:3']);
    expect(most).toBe(2);
  });

  test('starts nothing after an error', async () => {
    const begun: number[] = [];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      await tick();
      if (item === 1) throw new Error('stop');
    };
    await expect(mapConcurrently([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('stop');
    await tick();
    await tick();
    expect(begun.length).toBeLessThan(6);
  });

  test('maps nothing to nothing', async () => {
    await expect(mapConcurrently([], 3, () => Promise.resolve(1))).resolves.toEqual([]);
  });
});
