import { describe, expect, test } from '@jest/globals';
import { FairShares, type Holder } from './fair-shares.ts';

const key = (environment: number, caller = 1): Holder => ({
  environment: String(environment),
  caller: String(caller),
});

/** How much a greedy holder gets, one unit at a time. */
function fill(shares: FairShares, holder: Holder): number {
  let taken = 0;
  while (shares.take(holder, 1) === 'admitted') taken++;
  return taken;
}

describe('a greedy environment', () => {
  test('gets half of everything with all its keys together', () => {
    const shares = new FairShares(1000);
    let taken = 0;
    for (let caller = 0; caller < 40; caller++) taken += fill(shares, key(1, caller));
    expect(taken).toBeGreaterThan(480);
    expect(taken).toBeLessThanOrEqual(500);
  });

  test('gets a third with one key', () => {
    expect(fill(new FairShares(999), key(1))).toBe(333);
  });

  test('leaves room for the next holder, however many come', () => {
    const shares = new FairShares(1000);
    for (let environment = 0; environment < 8; environment++) {
      expect(fill(shares, key(environment))).toBeGreaterThan(0);
    }
    expect(shares.admits(key(100), 1)).toBe('admitted');
  });
});

test('two greedy environments, each with many keys, get a third each', () => {
  const shares = new FairShares(900);
  const taken = [0, 0];
  let gives = true;
  for (let caller = 0; gives; caller++) {
    gives = false;
    for (const environment of [0, 1]) {
      if (shares.take(key(environment, caller % 50), 1) === 'admitted') {
        taken[environment]! += 1;
        gives = true;
      }
    }
  }
  for (const share of taken) expect(Math.abs(share - 300)).toBeLessThan(5);
});

test('a greedy key leaves room for another one of its environment', () => {
  const shares = new FairShares(999);
  fill(shares, key(1, 1));
  expect(shares.admits(key(1, 1), 1)).toBe('over_share');
  expect(fill(shares, key(1, 2))).toBeGreaterThan(50);
  expect(fill(shares, key(1, 3))).toBeGreaterThan(10);
});

test('what is given back can be taken again, by any holder', () => {
  const shares = new FairShares(300);
  expect(fill(shares, key(1))).toBe(100);
  shares.giveBack(key(1), 100);
  expect(shares.held).toBe(0);
  expect(fill(shares, key(2))).toBe(100);
});

test('never gives more than there is', () => {
  const shares = new FairShares(10);
  expect(shares.take(key(1), 11)).toBe('full');
  expect(shares.take(key(1), 10)).toBe('admitted');
  expect(shares.take(key(2), 1)).toBe('full');
});

test('a single place goes to the first', () => {
  const shares = new FairShares(1);
  expect([shares.take(key(1), 1), shares.take(key(2), 1)]).toEqual(['admitted', 'full']);
});

test('a capacity that falls below what is held gives nothing until enough has come back', () => {
  const shares = new FairShares(100);
  shares.take(key(1), 30);
  shares.capacity = 20;
  expect(shares.take(key(2), 1)).toBe('full');
  shares.giveBack(key(1), 30);
  expect(shares.take(key(2), 1)).toBe('admitted');
});
