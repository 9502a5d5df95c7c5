import { expect, test } from '@jest/globals';
import { FACE_MODEL } from '../testing/fake-analyzer.ts';
import type { ActiveModel } from './model.ts';
import { ModelRegistry } from './model-registry.ts';

function registry(fails = 0) {
  const asked: string[] = [];
  const register = ([model]: readonly ActiveModel[]) => {
    asked.push(model!.revision);
    if (asked.length <= fails) return Promise.reject(new Error('away'));
    return Promise.resolve([{ ...model!, id: asked.length }]);
  };
  return { asked, models: new ModelRegistry({ register }) };
}

test('asks for each model once, also when asked at the same time', async () => {
  const { models, asked } = registry();
  const other = { ...FACE_MODEL, revision: 'a'.repeat(64) };
  const rows = await Promise.all([models.of(FACE_MODEL), models.of(FACE_MODEL), models.of(other)]);
  expect(rows.map(({ id }) => id)).toEqual([1, 1, 2]);
  expect(asked).toHaveLength(2);
});

test('asks again after a failure', async () => {
  const { models } = registry(1);
  await expect(models.of(FACE_MODEL)).rejects.toThrow('away');
  expect(await models.of(FACE_MODEL)).toMatchObject({ id: 2 });
});
