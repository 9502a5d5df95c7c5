import { getEventListeners } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { orAbort } from './or-abort.ts';

const reason = new Error('the caller aborted');

describe('orAbort', () => {
  test.each([undefined, new AbortController().signal])(
    'settles as the promise does, and leaves no listener (signal: %s)',
    async (signal) => {
      await expect(orAbort(Promise.resolve(1), signal)).resolves.toBe(1);
      const error = new Error('failed');
      await expect(orAbort(Promise.reject(error), signal)).rejects.toBe(error);
      if (signal !== undefined) expect(getEventListeners(signal, 'abort')).toEqual([]);
    },
  );

  test('rejects with the reason while the promise is pending, and leaves no listener', async () => {
    const controller = new AbortController();
    const waiting = orAbort(new Promise(() => undefined), controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('rejects if the signal was aborted before, even if the promise has settled', async () => {
    await expect(orAbort(Promise.resolve(1), AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('handles the rejection of a promise that fails after the abort', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    await expect(orAbort(promise, AbortSignal.abort(reason))).rejects.toBe(reason);
    reject(new Error('too late'));
    // The test waits until Node would report an unhandled rejection, which fails this file.
    await new Promise((resolve) => setImmediate(resolve));
  });
});
