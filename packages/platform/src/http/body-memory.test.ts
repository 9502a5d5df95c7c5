import { expect, test } from '@jest/globals';
import { BodyMemory } from './body-memory.ts';

const HOLDER = { environment: '1', caller: 'key-1' };
const OTHER = { environment: '2', caller: 'key-2' };

test('a key that has used its share leaves room for others, and releases its memory', () => {
  const memory = new BodyMemory(100);
  const first = memory.open(HOLDER);
  const second = memory.open(HOLDER);
  expect([first.add(20), second.add(20), second.add(1), first.add(1)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(memory.open(OTHER).add(20)).toBe(true);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect(second.add(1)).toBe(true);
});

test('all bodies together stay within the limit', () => {
  const memory = new BodyMemory(100);
  const added = Array.from({ length: 10 }, (_, n) =>
    memory.open({ environment: String(n), caller: '' }).add(15),
  );
  expect(added.filter(Boolean)).toHaveLength(6);
});
