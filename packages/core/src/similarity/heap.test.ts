import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Heap } from './heap.ts';

test('items leave a heap in their order, whenever they came', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer())), (steps) => {
      const heap = new Heap<number>((one, other) => one < other);
      const expected: number[] = [];
      for (const item of steps) {
        if (item === null) expect(heap.pop()).toBe(expected.shift());
        else {
          heap.push(item);
          expected.push(item);
          expected.sort((a, b) => a - b);
        }
      }
      for (const item of expected) expect(heap.pop()).toBe(item);
      expect(heap.pop()).toBeUndefined();
    }),
  );
});
