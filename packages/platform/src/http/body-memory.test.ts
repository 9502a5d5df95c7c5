import { expect, test } from '@jest/globals';
import { BodyMemory } from './body-memory.ts';

test('all bodies together stay within the limit, and give back what they had', () => {
  const memory = new BodyMemory(100);
  const first = memory.open();
  const second = memory.open();
  expect([first.add(60), second.add(40), second.add(1), first.add(1)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect([second.add(60), second.add(1)]).toEqual([true, false]);
});
