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

test('faces above a cosine are all open ones, or the strangers', async () => {
  await using vectors = new EmbeddedFaceVectors();
  await vectors.upsert(other, [
    { id: 1, isStranger: true, vector: Float32Array.of(1, 0) },
    { id: 2, isStranger: false, vector: Float32Array.of(0.8, 0.6) },
    { id: 3, isStranger: true, vector: Float32Array.of(0, 1) },
  ]);
  const queries = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
  const ids = async (found: ReturnType<typeof vectors.above>) =>
    (await found).map((one) => [...one.ids].sort());
  expect(await ids(vectors.above(other, queries, 0.5))).toEqual([
    [1, 2],
    [2, 3],
  ]);
  expect(await ids(vectors.strangersAbove(other, queries, 0.5))).toEqual([[1], [3]]);
  const [found] = await vectors.strangersAbove(other, queries, -1);
  expect(found!.cosines).toEqual(Float64Array.of(1, 0));
});
