import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { changeSetting } from '@sightline/core/administration/change-setting';
import { SERVICE } from '@sightline/core/store/actor';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let other: SeededEnvironment;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  other = await store.environment();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

interface Change {
  readonly key: string;
  readonly value: unknown;
  readonly isAdmin?: boolean;
  readonly gpu?: boolean;
}

function change({ key, value, isAdmin = false, gpu = false }: Change) {
  const { database, systemSettings } = store;
  return changeSetting(
    {
      database,
      systemSettings,
      checkTarget: () => Promise.resolve(),
      settingDefaults: {},
      gpuAvailable: () => Promise.resolve(gpu),
    },
    { scope: home.scope, actor: SERVICE, isAdmin, key, value },
  );
}

function stored({ scope }: SeededEnvironment): Promise<ReadonlyMap<string, unknown>> {
  return store.database.withScope(scope, ({ settings }) => settings.all());
}

test('a setting of the environment applies there alone', async () => {
  const key = 'face.match_threshold';
  expect(await change({ key, value: 0.63 })).toBe(0.63);
  expect((await stored(home)).get(key)).toBe(0.63);
  expect((await stored(other)).has(key)).toBe(false);
  expect(await change({ key, value: 0 })).toBe(0);
  expect((await stored(home)).get(key)).toBe(0);
  expect(await change({ key, value: null })).toBe(0.5);
  expect((await stored(home)).has(key)).toBe(false);
});

test('a setting of the installation applies everywhere, and needs an administrator', async () => {
  const key = 'system.crop_padding';
  const refusal = { code: 'admin_required' };
  await expect(change({ key, value: 0.4 })).rejects.toMatchObject(refusal);
  expect((await stored(home)).has(key)).toBe(false);
  expect(await change({ key, value: 0.4, isAdmin: true })).toBe(0.4);
  expect((await stored(home)).get(key)).toBe(0.4);
  expect((await stored(other)).get(key)).toBe(0.4);
  expect(await change({ key, value: null, isAdmin: true })).toBe(0.2);
  expect((await stored(other)).has(key)).toBe(false);
});

test('lists and texts are stored unchanged', async () => {
  await change({ key: 'object.class_filter', value: ['cat', 'dog'] });
  await change({ key: 'webhook.url', value: 'https://example.org/hook' });
  await change({ key: 'audit.reads', value: true });
  expect(Object.fromEntries(await stored(home))).toMatchObject({
    'object.class_filter': ['cat', 'dog'],
    'webhook.url': 'https://example.org/hook',
    'audit.reads': true,
  });
});

test('the setting for a GPU is refused without a GPU', async () => {
  const key = 'system.use_gpu';
  const refusal = { code: 'invalid_request' };
  await expect(change({ key, value: true, isAdmin: true })).rejects.toMatchObject(refusal);
  expect(await change({ key, value: false, isAdmin: true })).toBe(false);
  expect(await change({ key, value: true, isAdmin: true, gpu: true })).toBe(true);
  expect(await change({ key, value: null, isAdmin: true })).toBe(true);
});

test('unknown settings and values out of range are refused', async () => {
  await expect(change({ key: 'face.luck', value: 1 })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(change({ key: 'face.match_threshold', value: 2 })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  expect(await stored(home)).toEqual(await stored(other));
});
