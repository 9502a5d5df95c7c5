import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { BodyPace, type Slowness } from './body-pace.ts';

const LIMITS = { silenceMs: 20_000, averageAfterMs: 30_000, leastAverage: 1024 };

let now: number;
let slow: number;
let reason: Slowness | null;
let pace: BodyPace;

beforeEach(() => {
  jest.useFakeTimers();
  now = 0;
  slow = 0;
  reason = null;
  pace = new BodyPace(
    LIMITS,
    (slowness) => {
      slow += 1;
      reason = slowness;
    },
    () => now,
  );
  pace.wait();
});

function pass(milliseconds: number): void {
  now += milliseconds;
  jest.advanceTimersByTime(milliseconds);
}

/**
 * Simulates a client that sends `bytes` bytes per second for `seconds` seconds. Stops when the client is found too
 * slow, and returns the number of seconds until then.
 */
function send(bytes: number, seconds: number): number {
  for (let second = 1; second <= seconds; second++) {
    pass(1000);
    pace.received(bytes);
    if (slow > 0) return second;
  }
  return seconds;
}

describe('a client is too slow', () => {
  test('that is silent for as long as the limit', () => {
    send(100_000, 5);
    pass(19_999);
    expect(slow).toBe(0);
    pass(1);
    expect([slow, reason]).toEqual([1, 'silence']);
  });

  test('that sends single bytes with long pauses', () => {
    pass(19_000);
    pace.received(1);
    expect(slow).toBe(0);
    pass(19_000);
    pace.received(1);
    expect([slow, reason]).toEqual([1, 'average']);
    pass(100_000);
    expect(slow).toBe(1);
  });

  test('whose average falls below the limit after a good start', () => {
    expect(send(1024, 100)).toBe(100);
    expect(send(512, 100)).toBe(1);
  });
});

describe('a client is not too slow', () => {
  test('that sends at the minimum pace', () => {
    expect(send(1024, 3600)).toBe(3600);
    expect(slow).toBe(0);
  });

  test('while the reader does not wait for bytes', () => {
    pass(1000);
    pace.pause();
    pass(3_600_000);
    pace.wait();
    pass(1000);
    pace.received(1);
    expect(slow).toBe(0);
  });

  test('after its body has arrived', () => {
    pace[Symbol.dispose]();
    pass(3_600_000);
    expect(slow).toBe(0);
  });
});
