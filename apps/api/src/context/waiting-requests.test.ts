import { expect, test } from '@jest/globals';
import { WaitingRequests } from './waiting-requests.ts';

const holder = (environment: string, caller: string) => ({ environment, caller });

test('a caller has five requests, an environment twenty, and all together what is configured', () => {
  const waiting = new WaitingRequests(23);
  const taken = (environment: string, caller: string) => waiting.take(holder(environment, caller));
  const ofCaller = Array.from({ length: 6 }, () => taken('a', 'one'));
  expect(ofCaller).toEqual([true, true, true, true, true, false]);
  const ofEnvironment = Array.from({ length: 16 }, (_, nth) => taken('a', String(nth)));
  expect(ofEnvironment.filter(Boolean)).toHaveLength(15);
  expect(Array.from({ length: 4 }, (_, nth) => taken(String(nth), 'one'))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  waiting.giveBack(holder('a', 'one'));
  expect(waiting.count).toBe(22);
  expect([taken('a', 'one'), taken('b', 'one')]).toEqual([true, false]);
});
