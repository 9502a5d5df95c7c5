import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FairShares, type Holder } from './fair-shares.ts';

const key = (environment: number, caller = 1): Holder => ({
  environment: String(environment),
  caller: String(caller),
});

const jobs = (environment: number): Holder => ({ ...key(environment, 0), lane: 'background' });

/** Takes single units until the holder is refused, and returns the number of taken units. */
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

  test('leaves room for the next holder, for any number of holders', () => {
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

test('a greedy key leaves room for another key of its environment', () => {
  const shares = new FairShares(999);
  fill(shares, key(1, 1));
  expect(shares.admits(key(1, 1), 1)).toBe('over_share');
  expect(fill(shares, key(1, 2))).toBeGreaterThan(50);
  expect(fill(shares, key(1, 3))).toBeGreaterThan(10);
});

test('a released amount can be taken again by any holder', () => {
  const shares = new FairShares(300);
  expect(fill(shares, key(1))).toBe(100);
  shares.giveBack(key(1), 100);
  expect(shares.held).toBe(0);
  expect(fill(shares, key(2))).toBe(100);
});

test('never admits more than the capacity', () => {
  const shares = new FairShares(10);
  expect(shares.take(key(1), 11)).toBe('full');
  expect(shares.take(key(1), 10)).toBe('admitted');
  expect(shares.take(key(2), 1)).toBe('full');
});

test('a capacity of one goes to the first holder', () => {
  const shares = new FairShares(1);
  expect([shares.take(key(1), 1), shares.take(key(2), 1)]).toEqual(['admitted', 'full']);
});

test('after the capacity falls below the held amount, nothing is admitted until enough was released', () => {
  const shares = new FairShares(100);
  shares.take(key(1), 30);
  shares.capacity = 20;
  expect(shares.take(key(2), 1)).toBe('full');
  shares.giveBack(key(1), 30);
  expect(shares.take(key(2), 1)).toBe('admitted');
});

describe('background work', () => {
  test('of one environment gets a third, of many together half', () => {
    expect(fill(new FairShares(999), jobs(1))).toBe(333);
    const shares = new FairShares(1000);
    let taken = 0;
    for (let environment = 0; environment < 40; environment++) {
      taken += fill(shares, jobs(environment));
    }
    expect(taken).toBeGreaterThan(480);
    expect(taken).toBeLessThanOrEqual(500);
  });

  test('takes nothing from the shares of interactive holders', () => {
    const shares = new FairShares(1000);
    for (let environment = 0; environment < 40; environment++) fill(shares, jobs(environment));
    expect(fill(shares, key(1))).toBe(fill(new FairShares(1000), key(1)));
    expect(shares.heldInteractively).toBe(334);
  });

  test('gets the amount that interactive holders leave free', () => {
    const shares = new FairShares(1000);
    fill(shares, key(1, 1));
    fill(shares, key(2, 1));
    const left = 1000 - shares.held;
    expect(fill(shares, jobs(1))).toBe(Math.ceil(left / 3));
  });

  test('never gets more than the capacity', () => {
    const shares = new FairShares(10);
    expect(shares.take(jobs(1), 10)).toBe('admitted');
    expect(shares.take(key(1), 1)).toBe('full');
    shares.giveBack(jobs(1), 10);
    expect(shares.take(key(1), 10)).toBe('admitted');
    expect(shares.take(jobs(1), 1)).toBe('full');
  });
});

/** Random steps. In each step, a holder takes an amount, or the amount of an earlier step is released. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      holder: fc.oneof(
        fc.tuple(fc.nat(3), fc.nat(2)).map(([environment, caller]) => key(environment, caller)),
        fc.nat(3).map(jobs),
      ),
      amount: fc.integer({ min: 1, max: 20 }),
    }),
    fc.record({ back: fc.nat(30) }),
  ),
  { maxLength: 120 },
);

test('for random steps, the sums are correct, and background work does not affect interactive holders', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const shares = new FairShares(100);
      /** The same resource without background work, for comparison. */
      const alone = new FairShares(100);
      const taken: { readonly holder: Holder; readonly amount: number }[] = [];
      const sum = () => taken.reduce((total, { amount }) => total + amount, 0);
      for (const step of all) {
        if ('back' in step) {
          const [one] = taken.splice(taken.length - 1 - step.back, 1);
          if (one === undefined) continue;
          shares.giveBack(one.holder, one.amount);
          if (one.holder.lane === undefined) alone.giveBack(one.holder, one.amount);
          continue;
        }
        const admission = shares.take(step.holder, step.amount);
        if (admission === 'admitted') taken.push(step);
        expect(shares.held).toBe(sum());
        expect(shares.held).toBeLessThanOrEqual(100);
        if (step.holder.lane === 'background') continue;
        // If too little is free, the reason may be background work, which `alone` does not have, so the results may
        // differ.
        if (admission !== 'full') expect(alone.take(step.holder, step.amount)).toBe(admission);
      }
      expect(shares.heldInteractively).toBe(alone.held);
    }),
  );
});
