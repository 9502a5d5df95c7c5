import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { withHeartbeat } from './with-heartbeat.ts';

const everyMs = 10_000;
let renewals: number;
let losses: number;

beforeEach(() => {
  jest.useFakeTimers();
  renewals = 0;
  losses = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

/** Runs work until the test ends it. Renewals have these outcomes in order; further renewals succeed. */
function run(outcomes: readonly (() => Promise<boolean>)[]) {
  const ended = Promise.withResolvers<string>();
  const renew = () => outcomes[renewals++]?.() ?? Promise.resolve(true);
  const onLost = () => {
    losses++;
  };
  const result = withHeartbeat({ everyMs, renew, onLost }, () => ended.promise);
  return { result, end: () => ended.resolve('done'), fail: ended.reject };
}

describe('a lease with a heartbeat', () => {
  test('is renewed only while the work runs', async () => {
    const { result, end } = run([]);
    await jest.advanceTimersByTimeAsync(2.5 * everyMs);
    expect(renewals).toBe(2);
    end();
    expect(await result).toBe('done');
    await jest.advanceTimersByTimeAsync(10 * everyMs);
    expect([renewals, losses]).toEqual([2, 0]);
  });

  test('survives a renewal that fails', async () => {
    const { result, end } = run([() => Promise.reject(new Error('the database is down'))]);
    await jest.advanceTimersByTimeAsync(3.5 * everyMs);
    expect([renewals, losses]).toEqual([3, 0]);
    end();
    await result;
  });

  test('is not renewed again once another process has taken it over', async () => {
    const { result, end } = run([() => Promise.resolve(true), () => Promise.resolve(false)]);
    await jest.advanceTimersByTimeAsync(10 * everyMs);
    expect([renewals, losses]).toEqual([2, 1]);
    end();
    expect(await result).toBe('done');
  });

  test('is renewed once at a time, and the result waits for a renewal in flight', async () => {
    const slow = Promise.withResolvers<boolean>();
    const { result, end } = run([() => slow.promise]);
    await jest.advanceTimersByTimeAsync(4.5 * everyMs);
    expect(renewals).toBe(1);
    let settled = false;
    const settling = result.then(() => (settled = true));
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect(settled).toBe(false);
    slow.resolve(true);
    await settling;
  });

  test('ends with the error of the work', async () => {
    const { result, fail } = run([]);
    fail(new Error('no models'));
    await expect(result).rejects.toThrow('no models');
    await jest.advanceTimersByTimeAsync(10 * everyMs);
    expect(renewals).toBe(0);
  });
});
