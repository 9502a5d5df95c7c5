import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ActiveModel } from '@sightline/core/models/model';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const model = (name: string, changes: Partial<ActiveModel> = {}): ActiveModel => ({
  ...FACE_MODEL,
  name,
  revision: 'a'.repeat(64),
  ...changes,
});

test('models come back as they were given, in their order, once for each content', async () => {
  const face = model('face', {
    provides: ['age', 'gender', 'pose', 'landmarks'],
    embeddingDim: 512,
    similarityCalibration: [
      [-1, -1],
      [0.3, 0.5],
      [1, 1],
    ],
  });
  const object = { ...OBJECT_MODEL, name: 'object', classes: ['a "quoted" class', 'b,c', '{d}'] };
  const changed = { ...face, revision: 'b'.repeat(64) };
  const first = await store.models.register([object, face, changed, face]);
  expect(first).toEqual(
    [object, face, changed, face].map((given) => ({ ...given, id: expect.any(Number) })),
  );
  expect(first[3]!.id).toBe(first[1]!.id);
  expect(new Set(first.map(({ id }) => id)).size).toBe(3);
  expect(await store.models.register([changed, object])).toEqual([first[2], first[0]]);
  expect(await store.models.register([])).toEqual([]);
});

test('what a manifest says besides is that of the last time', async () => {
  const [first] = await store.models.register([model('renewed', { license: 'unknown' })]);
  const renewed = model('renewed', {
    license: 'MIT',
    version: '2',
    similarityCalibration: [[0, 0]],
  });
  expect(await store.models.register([renewed])).toEqual([{ ...renewed, id: first!.id }]);
});

test('one model of each task is active, the one that was activated last', async () => {
  await store.query('DELETE FROM active_models');
  expect(await store.models.active()).toEqual([]);
  const [one, two, object] = await store.models.register([
    model('one'),
    model('two'),
    { ...OBJECT_MODEL, name: 'three' },
  ]);
  await store.models.activate('face', one!.id);
  await store.models.activate('object', object!.id);
  await store.models.activate('face', two!.id);
  await store.models.activate('face', two!.id);
  expect(await store.models.active()).toEqual([two, object]);
});

test('registering the same models at once makes one row of each', async () => {
  const models = [model('at once 1'), model('at once 2')];
  const rows = await Promise.all(
    [models, models.toReversed(), models].map((given) => store.models.register(given)),
  );
  expect(rows[1]!.toReversed()).toEqual(rows[0]);
  expect(rows[2]).toEqual(rows[0]);
});
