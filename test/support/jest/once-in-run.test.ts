import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { onceInRun } from './once-in-run.ts';

test('something of the run is made once, and all who ask get it', async () => {
  const name = `once-${randomUUID()}`;
  let made = 0;
  const ask = () => onceInRun(name, () => Promise.resolve({ number: ++made }));
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill({ number: 1 }));
  expect(await ask()).toEqual({ number: 1 });
});

test('after a failure the next one that asks makes it', async () => {
  const name = `once-${randomUUID()}`;
  await expect(onceInRun(name, () => Promise.reject(new Error('no room')))).rejects.toThrow(
    'no room',
  );
  expect(await onceInRun(name, () => Promise.resolve('made'))).toBe('made');
});
