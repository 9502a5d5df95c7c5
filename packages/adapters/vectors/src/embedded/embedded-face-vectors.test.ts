import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { EmbeddedFaceVectors } from './embedded-face-vectors.ts';

const script = new URL('./fixtures/ending-thread.ts', import.meta.url);
const unavailable = expect.objectContaining({ code: 'vectors_unavailable' });
const lost = { environmentId: 1, modelId: 1, dimension: 2 };
const other = { environmentId: 2, modelId: 1, dimension: 2 };
const face = () => ({ id: 7, isStranger: true, vector: Float32Array.of(1, 0) });

test('a space whose thread ended is unavailable until it is forgotten, and others are not', async () => {
  await using vectors = new EmbeddedFaceVectors(script);
  await vectors.upsert(lost, [face()]);
  await vectors.vectors(lost, [-1]);
  await expect(
    (async () => {
      for (;;) {
        await vectors.strangers(lost);
        await sleep(5);
      }
    })(),
  ).rejects.toEqual(unavailable);
  await vectors.upsert(other, [face()]);
  await expect(vectors.upsert(lost, [face()])).rejects.toEqual(unavailable);
  await expect(vectors.nearest(lost, [face().vector], 1)).rejects.toEqual(unavailable);
  await vectors.forget(lost);
  expect((await vectors.strangers(lost)).ids).toHaveLength(0);
  await vectors.upsert(lost, [face()]);
  expect((await vectors.strangers(lost)).ids).toHaveLength(1);
  expect((await vectors.strangers(other)).ids).toHaveLength(1);
});
