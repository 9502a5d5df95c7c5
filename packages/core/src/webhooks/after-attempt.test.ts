import { describe, expect, test } from '@jest/globals';
import { afterAttempt, type AttemptEnd } from './after-attempt.ts';

const DAY = 86_400_000;
const middle = () => 0.5;

function failed(changes: Partial<AttemptEnd['result']> = {}, end: Partial<AttemptEnd> = {}) {
  const result = {
    ok: false,
    statusCode: 500,
    durationMs: 1,
    error: 'The endpoint answered with status 500.',
    retryAfterMs: null,
    ...changes,
  };
  return { result, attempt: 1, failures: { since: 0, count: 1 }, now: 0, ...end };
}

describe('after an attempt', () => {
  test('that succeeded nothing follows', () => {
    const end = failed({ ok: true, statusCode: 204, error: null }, { failures: null });
    expect(afterAttempt(end)).toEqual({ next: 'none' });
  });

  test('that failed the next one follows after a pause, ten attempts in about three days', () => {
    const pauses = Array.from({ length: 10 }, (_, at) =>
      afterAttempt(failed({}, { attempt: at + 1 }), middle),
    );
    const ms = pauses.map((end) => (end.next === 'pause' ? end.pauseMs : null));
    expect(ms).toEqual([
      5_000,
      30_000,
      120_000,
      900_000,
      3_600_000,
      14_400_000,
      36_000_000,
      72_000_000,
      129_600_000,
      null,
    ]);
    expect(pauses[9]).toEqual({ next: 'none' });
  });

  test('the pause varies by a tenth', () => {
    expect(afterAttempt(failed(), () => 0)).toEqual({ next: 'pause', pauseMs: 4_500 });
    expect(afterAttempt(failed(), () => 1)).toEqual({ next: 'pause', pauseMs: 5_500 });
  });

  test.each([
    [60_000, 60_000],
    [1_000, 5_000],
    [3 * DAY, DAY],
  ])('an endpoint that asks for %i ms gets %i', (retryAfterMs, pauseMs) => {
    const end = failed({ statusCode: 429, retryAfterMs });
    expect(afterAttempt(end, middle)).toEqual({ next: 'pause', pauseMs });
  });

  test('410 switches the webhook off', () => {
    expect(afterAttempt(failed({ statusCode: 410 }))).toEqual({ next: 'disable', reason: 'gone' });
  });

  test.each([
    [5 * DAY, 20, 'disable'],
    [5 * DAY - 1, 20, 'pause'],
    [5 * DAY, 19, 'pause'],
  ])('after %i ms and %i failures: %s', (now, count, next) => {
    expect(afterAttempt(failed({}, { now, failures: { since: 0, count } }))).toMatchObject({
      next,
    });
  });
});
