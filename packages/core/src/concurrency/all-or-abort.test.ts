import { expect, test } from '@jest/globals';
import { allOrAbort } from './all-or-abort.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

test('returns results in the order of the tasks', async () => {
  const later = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return 1;
  };
  await expect(allOrAbort([later, () => 2])).resolves.toEqual([1, 2]);
  await expect(allOrAbort([])).resolves.toEqual([]);
});

test('throws the first error, even of a synchronous task, and aborts the others', async () => {
  let reason: unknown;
  const other = (signal: AbortSignal) =>
    untilAborted(signal).catch((error: unknown) => {
      reason = error;
      throw error;
    });
  const failing = () => {
    throw new Error('first');
  };
  await expect(allOrAbort([other, failing])).rejects.toThrow('first');
  await Promise.resolve();
  expect(reason).toMatchObject({ message: 'first' });
});

test('ends when its caller aborts', async () => {
  const stop = new AbortController();
  const both = allOrAbort([untilAborted, untilAborted], stop.signal);
  stop.abort(new Error('stop'));
  await expect(both).rejects.toThrow('stop');
});
