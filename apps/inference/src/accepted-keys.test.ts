import { expect, test } from '@jest/globals';
import { AcceptedKeys } from './accepted-keys.ts';

function keysOf(...first: readonly string[]) {
  let values: readonly string[] | null = first;
  let now = 0;
  const read = () => {
    if (values === null) throw new Error('The file is being replaced.');
    return values;
  };
  const keys = new AcceptedKeys(read, () => now);
  return {
    keys,
    accepted: (...tried: readonly string[]) => tried.filter((key) => keys.accept(`Bearer ${key}`)),
    write: (next: readonly string[] | null) => (values = next),
    wait: (ms: number) => (now += ms),
  };
}

test('two keys are valid, and the report says when a caller last sent the previous one', () => {
  const { keys, accepted, wait } = keysOf('new', 'old');
  wait(60_000);
  expect(accepted('new', 'wrong', '')).toEqual(['new']);
  expect(keys.report).toEqual({ accepted: 2, previousUsedSecondsAgo: 60 });
  expect(accepted('old')).toEqual(['old']);
  wait(7_000);
  expect(keys.report).toEqual({ accepted: 2, previousUsedSecondsAgo: 7 });
});

test('a previous key counts as used when the process begins to accept it', () => {
  const { keys, write, wait } = keysOf('old');
  const reportAfter = (next: readonly string[]) => {
    write(next);
    wait(8_000);
    return keys.report;
  };
  expect(keys.report).toEqual({ accepted: 1, previousUsedSecondsAgo: null });
  expect(reportAfter(['new', 'old'])).toEqual({ accepted: 2, previousUsedSecondsAgo: 0 });
  expect(reportAfter(['new', 'old'])).toEqual({ accepted: 2, previousUsedSecondsAgo: 8 });
  expect(reportAfter(['newer', 'new'])).toEqual({ accepted: 2, previousUsedSecondsAgo: 0 });
  expect(reportAfter(['newer'])).toEqual({ accepted: 1, previousUsedSecondsAgo: null });
});

test('an unknown key makes the process read its keys again, at most once a second', () => {
  const { accepted, write, wait } = keysOf('old');
  write(['new', 'old']);
  expect(accepted('new')).toEqual([]);
  wait(1_000);
  expect(accepted('new', 'old')).toEqual(['new', 'old']);
});

test('a removed key is refused after five seconds, and a file that is missing for a moment changes nothing', () => {
  const { accepted, write, wait } = keysOf('new', 'old');
  write(null);
  wait(5_000);
  expect(accepted('new', 'old')).toEqual(['new', 'old']);
  write(['new']);
  wait(5_000);
  expect(accepted('new', 'old')).toEqual(['new']);
});
