import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import type { IdempotencyClaim } from '@sightline/core/idempotency/idempotency-store';
import type { Scope } from '@sightline/core/store/scope';
import { ClaimLease } from './claim-lease.ts';
import { RequestInProgress } from './idempotency-errors.ts';

const scope = { environmentId: 1 };
const claim = { key: 'k', token: 't' };

describe('the lease of a claim', () => {
  test('is renewed until the claim is lost', async () => {
    const answers = [true, true, false];
    const asked: unknown[] = [];
    const renew = (...input: [Scope, IdempotencyClaim]) => {
      asked.push(input);
      return Promise.resolve(answers.shift() ?? false);
    };
    using lease = new ClaimLease({ store: { renew }, scope, claim }, { renewEveryMs: 1 });
    expect(lease.lost.aborted).toBe(false);
    await once(lease.lost, 'abort');
    expect(lease.lost.reason).toBeInstanceOf(RequestInProgress);
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(asked[0]).toEqual([scope, claim]);
  });

  test('outlives a store that is down for a while', async () => {
    const outcomes = [() => Promise.reject(new Error('down')), () => Promise.resolve(false)];
    let calls = 0;
    const renew = () => outcomes[Math.min(calls++, 1)]!();
    using lease = new ClaimLease({ store: { renew }, scope, claim }, { renewEveryMs: 1 });
    await once(lease.lost, 'abort');
    expect(calls).toBeGreaterThanOrEqual(2);
  });

  test('ends with the work', async () => {
    let calls = 0;
    const renew = () => {
      calls++;
      return Promise.resolve(true);
    };
    new ClaimLease({ store: { renew }, scope, claim }, { renewEveryMs: 1 })[Symbol.dispose]();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls).toBe(0);
  });
});
