import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createIdentity } from '@sightline/core/curation/create-identity';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

test('an identity is created under its normalized label, with an event', async () => {
  const identity = await createIdentity(store, {
    scope: home.scope,
    type: 'face',
    label: '  Zoe\u0301 ',
    externalRef: 'crm-7',
  });
  expect(identity).toMatchObject({
    type: 'face',
    label: 'Zoé',
    externalRef: 'crm-7',
    coverDetectionId: null,
  });
  expect(await home.events()).toEqual([
    {
      event: 'identity.created',
      data: { identity_id: identity.id, label: 'Zoé', type: 'face', external_ref: 'crm-7' },
    },
  ]);
});

test('a label is unique within its environment and type', async () => {
  const other = await store.environment();
  const id = await home.identity('Ann');
  await expect(home.identity(' Ann')).rejects.toMatchObject({
    code: 'identity_exists',
    facts: { identity_id: id },
  });
  await home.identity('ann');
  await home.identity('Ann', 'object');
  await other.identity('Ann');
  expect((await other.events()).map(({ event }) => event)).toEqual(['identity.created']);
});

test('of many concurrent requests for one label, one creates it', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => home.identity('Ann')));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      expect(outcome.reason).toMatchObject({ code: 'identity_exists' });
    }
  }
  expect(await home.events()).toHaveLength(1);
});

test('an invalid label is refused', async () => {
  await expect(home.identity('  ')).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await home.events()).toEqual([]);
});

test('its settlement is committed with it or not at all', async () => {
  const request = { scope: home.scope, type: 'face', label: 'Ann' } as const;
  const settled: number[] = [];
  const failing = createIdentity(store, request, {
    settle: (_, { id }) => {
      settled.push(id);
      return Promise.reject(new Error('the answer cannot be kept'));
    },
  });
  await expect(failing).rejects.toThrow('the answer cannot be kept');
  expect(settled).toHaveLength(1);
  expect(await home.events()).toEqual([]);
  await home.identity('Ann');
});
