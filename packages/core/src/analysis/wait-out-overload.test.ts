import { describe, expect, test } from '@jest/globals';
import { InferenceOverloaded } from '../models/model-errors.ts';
import { waitOutOverload } from './wait-out-overload.ts';

const never = new AbortController().signal;

describe('waiting out an overload', () => {
  test('ends with the first accepted attempt, after the delay that inference named', async () => {
    let attempts = 0;
    const started = performance.now();
    const answer = await waitOutOverload(() => {
      attempts++;
      return attempts < 3 ? Promise.reject(new InferenceOverloaded(0.02)) : Promise.resolve('done');
    }, never);
    expect(answer).toBe('done');
    expect(attempts).toBe(3);
    expect(performance.now() - started).toBeGreaterThan(35);
  });

  test('gives up after ten attempts', async () => {
    let attempts = 0;
    const overloaded = waitOutOverload(() => {
      attempts++;
      return Promise.reject(new InferenceOverloaded(0));
    }, never);
    await expect(overloaded).rejects.toBeInstanceOf(InferenceOverloaded);
    expect(attempts).toBe(10);
  });

  test('throws other errors at once', async () => {
    let attempts = 0;
    const failing = waitOutOverload(() => {
      attempts++;
      return Promise.reject(new TypeError('unexpected'));
    }, never);
    await expect(failing).rejects.toThrow('unexpected');
    expect(attempts).toBe(1);
  });

  test('stops waiting when its caller aborts', async () => {
    const abort = new AbortController();
    const waiting = waitOutOverload(
      () => Promise.reject(new InferenceOverloaded(60)),
      abort.signal,
    );
    setImmediate(() => abort.abort());
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
