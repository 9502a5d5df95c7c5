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
  test('waits for as long as it says, and a moment for what has arrived', async () => {
    const ping = start();
    await ping.clock.pass(LIMIT_MS);
    expect(ping.outcome()).toBeNull();
    await ping.clock.pass(50);
    expect(ping.outcome()).toEqual({ kind: 'missed', starved: false });
    expect(ping.signal().aborted).toBe(true);
  });

  test('says what came', async () => {
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
    'of which the answer arrived while this process did nothing, after %i ms, is answered',
    async (before) => {
      const ping = start();
      await ping.clock.pass(before);
      await ping.clock.stall(60_000);
      // The timers have gone off; the sockets are read after them.
      ping.answer();
      await ping.clock.pass(0);
      expect(ping.outcome()).toEqual({ kind: 'answered' });
    },
  );

  test('says that nothing was to be noticed in the last moment', async () => {
    const ping = start();
    await ping.clock.pass(LIMIT_MS);
    await ping.clock.stall(60_000);
    expect(ping.outcome()).toEqual({ kind: 'missed', starved: true });
  });

  test('counts little of the time in which this process did nothing', async () => {
    const ping = start();
    for (let stall = 0; stall < 5; stall++) await ping.clock.stall(10_000);
    await ping.clock.pass(400);
    expect(ping.outcome()).toBeNull();
    await ping.clock.pass(200);
    expect(ping.outcome()).toEqual({ kind: 'missed', starved: true });
  });

  test('is not starved by timers that are a little late', async () => {
    const ping = start();
    while (ping.outcome() === null) await ping.clock.stall(55);
    expect(ping.outcome()).toEqual({ kind: 'missed', starved: false });
  });
});
