import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { LoopTurns } from './loop-turns.ts';

test('each turn of the event loop runs one piece, in the order of the calls', async () => {
  const turns = new LoopTurns();
  const log: string[] = [];
  const pieces = ['a', 'b', 'c'].map((name) => turns.run(() => log.push(name)));
  const others = (async () => {
    for (let count = 0; count < 3; count++) {
      await nextTurn();
      log.push('other');
    }
  })();
  await Promise.all([...pieces, others]);
  expect(log.filter((entry) => entry !== 'other')).toEqual(['a', 'b', 'c']);
  expect(log.join(' ')).toMatch(/a (?:other )+b (?:other )*c/);
});

test('a piece that fails does not stop the next ones', async () => {
  const turns = new LoopTurns();
  const failed = turns.run(() => {
    throw new Error('this piece');
  });
  const next = turns.run(() => 'done');
  await expect(failed).rejects.toThrow('this piece');
  expect(await next).toBe('done');
});
