import { beforeEach, expect, test } from '@jest/globals';
import { EnvironmentTurns } from './environment-turns.ts';

let turns: EnvironmentTurns;
let begun: string[];
const { signal } = new AbortController();

beforeEach(() => {
  turns = new EnvironmentTurns();
  begun = [];
});

function start(environmentId: number, name: string, given = signal) {
  const end = Promise.withResolvers<string>();
  const work = () => {
    begun.push(name);
    return end.promise;
  };
  return { result: turns.run({ environmentId }, work, given), end };
}

const settled = () => new Promise(setImmediate);

test('work of an environment waits for its previous work, even if that fails', async () => {
  const first = start(1, 'first');
  const second = start(1, 'second');
  const other = start(2, 'other');
  await settled();
  expect(begun).toEqual(['first', 'other']);
  first.end.reject(new Error('it failed'));
  await expect(first.result).rejects.toThrow('it failed');
  await settled();
  expect(begun).toEqual(['first', 'other', 'second']);
  second.end.resolve('done');
  other.end.resolve('done');
  expect(await Promise.all([second.result, other.result])).toEqual(['done', 'done']);
});

test('work whose caller has disconnected does not start, and delays no other work', async () => {
  const first = start(1, 'first');
  const caller = new AbortController();
  const gone = start(1, 'gone', caller.signal);
  const third = start(1, 'third');
  caller.abort();
  first.end.resolve('done');
  await expect(gone.result).rejects.toBe(caller.signal.reason);
  third.end.resolve('done');
  expect(await third.result).toBe('done');
  expect(begun).toEqual(['first', 'third']);
});
