import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '@sightline/core/store/scope';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let scope: Scope;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  ({ scope } = await store.environment());
  await store.query('DELETE FROM system_settings');
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const all = async (within = scope): Promise<object> =>
  Object.fromEntries(await store.database.withScope(within, ({ settings }) => settings.all()));

const put = (key: string, value: unknown): Promise<void> =>
  store.database.withEntities({ ...scope, locks: [] }, (tx) => tx.settings.put(key, value));

test('values of every type are read as they were written', async () => {
  const values = {
    number: 0.1,
    text: '"0.5"',
    yes: true,
    no: false,
    list: ['a', "'"],
    digits: '12',
  };
  for (const [key, value] of Object.entries(values)) await put(key, value);
  expect(await all()).toEqual(values);
  await put('number', 7);
  expect(await all()).toEqual({ ...values, number: 7 });
});

test('null restores the default', async () => {
  await put('a', 1);
  await put('a', null);
  await put('never set', null);
  expect(await all()).toEqual({});
});

test('those of the installation apply in every environment, the others in their own', async () => {
  const other = (await store.environment()).scope;
  await put('mine', 1);
  await store.systemSettings.put('everybody', ['x']);
  await store.systemSettings.put('everybody', ['y']);
  expect(await all()).toEqual({ mine: 1, everybody: ['y'] });
  expect(await all(other)).toEqual({ everybody: ['y'] });
  await store.systemSettings.put('everybody', null);
  expect(await all(other)).toEqual({});
});
