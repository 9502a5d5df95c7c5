import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ClaimOutcome, IdempotencyClaim } from '@sightline/core/idempotency/idempotency-store';
import type { Scope } from '@sightline/core/store/scope';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

const ONE = new Uint8Array(32).fill(1);
const OTHER = new Uint8Array(32).fill(2);

let store: StoreFixture;
let home: SeededEnvironment;
let scope: Scope;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  ({ scope } = home);
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const claim = (key = 'key', fingerprint = ONE): Promise<ClaimOutcome> =>
  store.idempotency.claim(scope, { key, formerKey: null, fingerprint });

async function claimed(key = 'key'): Promise<IdempotencyClaim> {
  const outcome = await claim(key);
  if (outcome.outcome !== 'claimed') throw new Error(outcome.outcome);
  return outcome.claim;
}

const complete = (held: IdempotencyClaim, body: unknown): Promise<void> =>
  store.database.withEntities({ ...scope, locks: [] }, async (tx) => {
    await tx.settings.put('effect', true);
    await tx.complete(held, { status: 201, body });
  });

const age = (column: 'lease_until' | 'created_at', interval: string): Promise<unknown> =>
  store.query(
    `UPDATE idempotency_keys SET ${column} = now() - $2::interval WHERE environment_id = $1`,
    [scope.environmentId, interval],
  );

test('a key is claimed once', async () => {
  await claimed();
  expect(await claim()).toEqual({ outcome: 'in_progress' });
  expect(await claim('key', OTHER)).toEqual({ outcome: 'mismatch' });
  expect(await claim('another key')).toMatchObject({ outcome: 'claimed' });
  const other = (await store.environment()).scope;
  expect(
    await store.idempotency.claim(other, { key: 'key', formerKey: null, fingerprint: OTHER }),
  ).toMatchObject({
    outcome: 'claimed',
  });
});

test('of many concurrent claims of a key one succeeds', async () => {
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => claim()));
  expect(outcomes.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
  expect(outcomes.filter(({ outcome }) => outcome === 'in_progress')).toHaveLength(7);
});

describe('a key of an earlier release, which did not name the caller', () => {
  const retry = (fingerprint = ONE) =>
    store.idempotency.claim(scope, { key: 'key-1 former', formerKey: 'former', fingerprint });
  const completed = {
    outcome: 'completed',
    operationId: null,
    answer: { status: 201, body: { id: 1 } },
  };

  test('still has the answer for a retry of the same request', async () => {
    await complete(await claimed('former'), { id: 1 });
    expect(await retry()).toEqual(completed);
    expect(await retry()).toEqual(completed);
    // The answer may be that of another caller, whose key is the same by chance.
    expect(await retry(OTHER)).toMatchObject({ outcome: 'claimed' });
  });

  test('is claimed under its new name once it is old, or its request was abandoned', async () => {
    await claimed('former');
    expect(await retry()).toEqual({ outcome: 'in_progress' });
    await age('lease_until', '1 second');
    const outcome = await retry();
    expect(outcome).toMatchObject({ outcome: 'claimed', claim: { key: 'key-1 former' } });
    const other = (await store.environment()).scope;
    const request = { key: 'key-1 former', formerKey: 'former', fingerprint: ONE };
    expect(await store.idempotency.claim(other, request)).toMatchObject({ outcome: 'claimed' });
  });

  test('loses its answer after a day', async () => {
    await complete(await claimed('former'), { id: 1 });
    await age('created_at', '25 hours');
    expect(await retry()).toMatchObject({ outcome: 'claimed' });
  });
});

describe('an answer', () => {
  test.each([[{ z: 1, a: [null, 'ü'] }], ['text'], [null], [[]]])(
    'is kept as it was given: %j',
    async (body) => {
      await complete(await claimed(), body);
      const outcome = await claim();
      expect(outcome).toEqual({
        outcome: 'completed',
        operationId: null,
        answer: { status: 201, body },
      });
      expect(JSON.stringify(outcome)).toContain(JSON.stringify(body));
      expect(await claim('key', OTHER)).toEqual({ outcome: 'mismatch' });
    },
  );

  test('is stored with its effect or not at all', async () => {
    const held = await claimed();
    const failing = store.database.withEntities({ ...scope, locks: [] }, async (tx) => {
      await tx.complete(held, { status: 200, body: {} });
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect(await claim()).toEqual({ outcome: 'in_progress' });
  });

  test('is kept for 24 hours', async () => {
    await complete(await claimed(), {});
    await age('lease_until', '1 minute');
    await age('created_at', '23 hours 59 minutes');
    expect(await claim()).toMatchObject({ outcome: 'completed' });
    await age('created_at', '24 hours 1 minute');
    expect(await claim('key', OTHER)).toMatchObject({ outcome: 'claimed' });
    expect(await claim('key', OTHER)).toEqual({ outcome: 'in_progress' });
  });

  test('cannot be released', async () => {
    const held = await claimed();
    await complete(held, {});
    await store.idempotency.release(scope, held);
    expect(await store.idempotency.renew(scope, held)).toBe(false);
    expect(await claim()).toMatchObject({ outcome: 'completed' });
  });
});

describe('a claim', () => {
  test('that is released leaves the key free', async () => {
    await store.idempotency.release(scope, await claimed());
    expect(await claim('key', OTHER)).toMatchObject({ outcome: 'claimed' });
  });

  test('is renewed', async () => {
    const held = await claimed();
    await age('lease_until', '1 second');
    expect(await store.idempotency.renew(scope, held)).toBe(true);
    expect(await claim()).toEqual({ outcome: 'in_progress' });
  });

  test('whose lease has expired goes to the next identical request', async () => {
    const lost = await claimed();
    await age('lease_until', '1 second');
    expect(await claim('key', OTHER)).toEqual({ outcome: 'mismatch' });
    const held = await claimed();
    expect(held.token).not.toBe(lost.token);
    expect(await store.idempotency.renew(scope, lost)).toBe(false);
    await store.idempotency.release(scope, lost);
    expect(await claim()).toEqual({ outcome: 'in_progress' });
    await complete(held, { of: 'the second' });
    expect(await claim()).toMatchObject({ answer: { body: { of: 'the second' } } });
  });

  test('that was lost has no effect', async () => {
    const lost = await claimed();
    await age('lease_until', '1 second');
    await claimed();
    await expect(complete(lost, {})).rejects.toMatchObject({ code: 'store_unavailable' });
    const settings = await store.database.withScope(scope, (stores) => stores.settings.all());
    expect(settings.size).toBe(0);
  });

  test('of another environment cannot be changed', async () => {
    const held = await claimed();
    const other = (await store.environment()).scope;
    expect(await store.idempotency.renew(other, held)).toBe(false);
    await store.idempotency.release(other, held);
    expect(await claim()).toEqual({ outcome: 'in_progress' });
  });
});
