import { describe, expect, test } from '@jest/globals';
import { FakeClock } from './testing/fake-clock.ts';
import { type PingOutcome, timePing } from './time-ping.ts';

const LIMIT_MS = 1_000;

function start() {
  const clock = new FakeClock();
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  let [outcome, signal] = [null as PingOutcome | null, null as AbortSignal | null];
  const timed = timePing(
    (given) => {
      signal = given;
      return promise;
    },
    { clock, limitMs: LIMIT_MS },
  );
  void timed.outcome.then((found) => (outcome = found));
  return {
    clock,
    answer: () => resolve('pong'),
    fail: reject,
    outcome: () => outcome,
    signal: () => signal!,
  };
}

describe('timePing', () => {
  test('is missed one tick after the limit', async () => {
    const ping = start();
    await ping.clock.pass(LIMIT_MS);
    expect(ping.outcome()).toBeNull();
    await ping.clock.pass(50);
    expect(ping.outcome()).toEqual({ kind: 'missed', starved: false });
    expect(ping.signal().aborted).toBe(true);
  });

  test('is answered or failed as the request is', async () => {
    const answered = start();
    answered.answer();
    await answered.clock.pass(0);
    expect(answered.outcome()).toEqual({ kind: 'answered' });
    const failed = start();
    const error = new Error('refused');
    failed.fail(error);
    await failed.clock.pass(0);
    expect(failed.outcome()).toEqual({ kind: 'failed', error });
    await failed.clock.pass(10 * LIMIT_MS);
    expect(failed.outcome()).toEqual({ kind: 'failed', error });
  });

  test.each([0, 500, LIMIT_MS - 50])(
    'is answered if the answer arrived while the event loop was blocked, after %i ms',
    async (before) => {
      const ping = start();
      await ping.clock.pass(before);
      await ping.clock.stall(60_000);
      // All timers have fired. The process reads its sockets, and thereby the answer, only after the timers.
      ping.answer();
      await ping.clock.pass(0);
      expect(ping.outcome()).toEqual({ kind: 'answered' });
    },
  );

  test('is starved if the last tick was late', async () => {
    const ping = start();
    await ping.clock.pass(LIMIT_MS);
    await ping.clock.stall(60_000);
    expect(ping.outcome()).toEqual({ kind: 'missed', starved: true });
  });

  test('counts little of the time in which the event loop was blocked', async () => {
    const ping = start();
    for (let stall = 0; stall < 5; stall++) await ping.clock.stall(10_000);
    await ping.clock.pass(400);
    expect(ping.outcome()).toBeNull();
    await ping.clock.pass(200);
    expect(ping.outcome()).toEqual({ kind: 'missed', starved: true });
  });

  test('is not starved if timers are a little late', async () => {
    const ping = start();
    while (ping.outcome() === null) await ping.clock.stall(55);
    expect(ping.outcome()).toEqual({ kind: 'missed', starved: false });
  });
});
