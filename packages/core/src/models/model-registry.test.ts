import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ActiveModel } from './model.ts';
import { ModelRegistry } from './model-registry.ts';
import { FACE_MODEL } from './testing/sample-models.ts';

function registry(fails = 0) {
  const registered: string[] = [];
  const register = ([model]: readonly ActiveModel[]) => {
    registered.push(model!.revision);
    if (registered.length <= fails) return Promise.reject(new Error('unavailable'));
    return Promise.resolve([{ ...model!, id: registered.length }]);
  };
  const roles = () => Promise.resolve({ active: [], pending: [], previous: [] });
  return { registered, models: new ModelRegistry({ register, roles }) };
}

test('registers each model once, also for calls at the same time', async () => {
  const { models, registered } = registry();
  const other = { ...FACE_MODEL, revision: 'a'.repeat(64) };
  const rows = await Promise.all([models.of(FACE_MODEL), models.of(FACE_MODEL), models.of(other)]);
  expect(rows.map(({ id }) => id)).toEqual([1, 1, 2]);
  expect(registered).toHaveLength(2);
});

test('registers again after a failure', async () => {
  const { models } = registry(1);
  await expect(models.of(FACE_MODEL)).rejects.toThrow('unavailable');
  expect(await models.of(FACE_MODEL)).toMatchObject({ id: 2 });
});

describe('the embeddings of a model', () => {
  const rows = [
    { ...FACE_MODEL, id: 1 },
    { ...FACE_MODEL, revision: 'a'.repeat(64), id: 2 },
  ];
  let activeId: number;
  let previousId: number;
  let reads: number;
  let models: ModelRegistry;

  beforeEach(() => {
    activeId = 1;
    previousId = 0;
    reads = 0;
    models = new ModelRegistry({
      register: ([model]) =>
        Promise.resolve([
          { id: 3, ...model!, ...rows.find((row) => row.revision === model!.revision) },
        ]),
      roles: () => {
        reads++;
        const of = (modelId: number) => rows.filter(({ id }) => id === modelId);
        return Promise.resolve({ active: of(activeId), pending: [], previous: of(previousId) });
      },
    });
  });

  test('may be used if the model is active, which is not read each time', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    try {
      expect(await models.ofVectors(rows[0]!)).toMatchObject({ id: 1 });
      expect(await models.ofVectors(rows[0]!)).toMatchObject({ id: 1 });
      expect(reads).toBe(1);
    } finally {
      clock.mockRestore();
    }
  });

  test('may not be used if another model is active', async () => {
    const answer = models.ofVectors(rows[1]!);
    await expect(answer).rejects.toMatchObject({ code: 'inference_unavailable' });
  });

  test('may be used as soon as the model has become active', async () => {
    await models.ofVectors(rows[0]!);
    activeId = 2;
    expect(await models.ofVectors(rows[1]!)).toMatchObject({ id: 2 });
  });

  test('may not be used once the cached active model has expired', async () => {
    await models.ofVectors(rows[0]!);
    activeId = 2;
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 2_001);
    try {
      const answer = models.ofVectors(rows[0]!);
      await expect(answer).rejects.toMatchObject({ code: 'inference_unavailable' });
    } finally {
      clock.mockRestore();
    }
  });

  test('may be used for a minute after another model has become active', async () => {
    await models.ofVectors(rows[0]!);
    [activeId, previousId] = [2, 1];
    models.forget();
    expect(await models.ofVectors(rows[0]!)).toMatchObject({ id: 1 });
    expect(await models.ofVectors(rows[1]!)).toMatchObject({ id: 2 });
  });

  test('are not checked if the model computes none', async () => {
    const withoutVectors = { ...FACE_MODEL, revision: 'b'.repeat(64), embeddingDim: null };
    expect(await models.ofVectors(withoutVectors)).toMatchObject({ id: 3 });
    expect(reads).toBe(0);
  });
});
