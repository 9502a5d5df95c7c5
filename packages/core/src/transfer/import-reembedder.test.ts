import { expect, test } from '@jest/globals';
import type { RegisteredModel } from '../models/model-store.ts';
import { FACE_MODEL } from '../models/testing/sample-models.ts';
import type { ImageToImport } from '../recognition/import/import-run.ts';
import { ImportReembedder } from './import-reembedder.ts';

const ACTIVE: RegisteredModel = { ...FACE_MODEL, id: 7 };

function imageWith(type: 'face' | 'object', ...modelIds: readonly number[]): ImageToImport {
  const vectors = modelIds.map((modelId) => ({ modelId }));
  return { detections: [{ type, vectors }] } as unknown as ImageToImport;
}

test('jobs are requested at the first face that lacks a vector, then at growing intervals', async () => {
  let seconds = 0;
  const asked: number[] = [];
  const modelStore = {
    active: () => Promise.resolve([ACTIVE]),
    backfill: () => Promise.resolve(void asked.push(seconds)),
  };
  const now = () => seconds * 1000;
  const reembedder = new ImportReembedder({ modelStore, now }, { environmentId: 1 }, ACTIVE.id);
  await reembedder.stored(imageWith('object'));
  await reembedder.stored(imageWith('face', 3, ACTIVE.id));
  expect(asked).toEqual([]);
  for (seconds = 1; seconds <= 1300; seconds += 1) await reembedder.stored(imageWith('face', 3));
  expect(asked).toEqual([1, 11, 31, 71, 151, 311, 611, 911, 1211]);
});
