import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createIdentity } from '@sightline/core/curation/create-identity';
import { renameIdentity } from '@sightline/core/curation/rename-identity';
import { setIdentityCover } from '@sightline/core/curation/set-identity-cover';
import { setIdentityRef } from '@sightline/core/curation/set-identity-ref';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let ann: number;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  ann = await home.identity('Ann');
  await home.events();
});

afterAll(async () => {
  expect(await store.maintenance.contradictions()).toEqual([]);
  await store[Symbol.asyncDispose]();
});

describe('renameIdentity', () => {
  const rename = (id: number, label: string) =>
    renameIdentity(store, { scope: home.scope, id, label });

  test('emits an event with both labels, and none if the label is the same', async () => {
    expect(await rename(ann, ' Zoe\u0308 ')).toEqual({ id: ann, label: 'Zoë' });
    expect(await rename(ann, 'Zoë')).toEqual({ id: ann, label: 'Zoë' });
    expect(await home.events()).toEqual([
      {
        event: 'identity.updated',
        data: {
          identity_id: ann,
          action: 'renamed',
          label: 'Zoë',
          previous_label: 'Ann',
          external_ref: null,
        },
      },
    ]);
  });

  test('is refused without a trace', async () => {
    const bob = await home.identity('Bob');
    const other = await store.environment();
    const foreign = await other.identity('Cid');
    await home.events();
    await expect(rename(ann, 'Bob')).rejects.toMatchObject({
      code: 'identity_exists',
      facts: { identity_id: bob },
    });
    await expect(rename(foreign, 'Dan')).rejects.toMatchObject({ code: 'not_found' });
    await expect(rename(ann, ' ')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await home.events()).toEqual([]);
    expect(await rename(ann, 'Cid')).toMatchObject({ label: 'Cid' });
  });

  test('gives one label to one of several who want it', async () => {
    const others = await Promise.all(['B', 'C', 'D'].map((label) => home.identity(label)));
    const request = { scope: home.scope, type: 'face', label: 'New' } as const;
    const results = await Promise.allSettled([
      ...[ann, ...others].map((id) => rename(id, 'New')),
      createIdentity(store, request),
    ]);
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
    );
    expect(refused).toEqual(Array.from({ length: 4 }, () => 'identity_exists'));
  });

  test('in a circle leaves each label once', async () => {
    const bob = await home.identity('Bob');
    await rename(ann, 'Temporary');
    await rename(bob, 'Ann');
    await rename(ann, 'Bob');
    await expect(home.identity('Temporary')).resolves.toBeGreaterThan(bob);
  });
});

describe('setIdentityRef', () => {
  test('changes the reference without an event', async () => {
    for (const externalRef of ['hr/1', 'hr/2', null]) {
      const request = { scope: home.scope, id: ann, externalRef };
      expect(await setIdentityRef(store, request)).toEqual({ id: ann, externalRef });
    }
    expect(await home.events()).toEqual([]);
    const request = { scope: home.scope, id: 999_999, externalRef: 'hr/1' };
    await expect(setIdentityRef(store, request)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('setIdentityCover', () => {
  const cover = (id: number, detectionId: number | null) =>
    setIdentityCover(store, { scope: home.scope, id, detectionId });

  test('emits an event for each change', async () => {
    const { ids } = await home.photo([{ identityId: ann }]);
    await home.events();
    for (const detectionId of [null, ids[0]!, ids[0]!, null, null]) await cover(ann, detectionId);
    const changed = { identity_id: ann, action: 'thumbnail_updated', external_ref: null };
    expect((await home.events()).map(({ data }) => data)).toEqual([
      { ...changed, cover_detection_id: ids[0] },
      { ...changed, cover_detection_id: null },
    ]);
  });

  test('is a detection of this identity', async () => {
    const bob = await home.identity('Bob');
    const other = await store.environment();
    const foreign = await other.photo([{}]);
    const { ids } = await home.photo([{ identityId: bob }, {}]);
    await home.events();
    for (const id of ids) {
      await expect(cover(ann, id)).rejects.toMatchObject({ code: 'not_of_identity' });
    }
    for (const id of [foreign.ids[0]!, 999_999]) {
      await expect(cover(ann, id)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(cover(999_999, ids[0]!)).rejects.toMatchObject({ code: 'not_found' });
    expect(await home.events()).toEqual([]);
  });
});
