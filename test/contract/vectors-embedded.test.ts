import { expect, test } from '@jest/globals';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import { describeAnswers } from './answering-store.contract.ts';
import { describeVectorIndex } from './vector-index.contract.ts';

describeVectorIndex(
  'vectors-embedded',
  () => {
    const index = new EmbeddedVectorIndex();
    return Promise.resolve({
      index,
      [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
    });
  },
  { tolerance: 1e-6 },
);

describeAnswers(
  'vectors-embedded',
  async () => {
    const index = new EmbeddedVectorIndex();
    await (await index.begin()).publish();
    return {
      store: index,
      outages: {},
      [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
    };
  },
  { code: 'vectors_unavailable', outages: [] },
);

test('an unfilled embedded index says so when it is asked whether it answers', async () => {
  await using index = new EmbeddedVectorIndex();
  const unavailable = { code: 'vectors_unavailable' };
  await expect(index.requireAnswer()).rejects.toMatchObject(unavailable);
  const draft = await index.begin();
  await expect(index.requireAnswer()).rejects.toMatchObject(unavailable);
  await draft.publish();
  await index.requireAnswer();
});

test('an embedded index that is closed is unavailable, and says so', async () => {
  const lost: unknown[] = [];
  const index = new EmbeddedVectorIndex({ onLost: (reason) => lost.push(reason) });
  await (await index.begin()).publish();
  const draft = await index.begin();
  const space = { environmentId: 1, modelId: 1, kind: 'faces', dimension: 2 } as const;
  const query = { vectors: [Float32Array.of(1, 0)], limit: 1 };
  const pending = index.searchPoints(space, query);
  const unavailable = { code: 'vectors_unavailable' };
  const [answer] = await Promise.allSettled([pending, index[Symbol.asyncDispose]()]);
  // The search may also succeed with no hits, if its answer was already in flight when the index closed.
  const settled = answer.status === 'fulfilled' ? answer.value : answer.reason;
  expect([[[]], expect.objectContaining(unavailable)]).toContainEqual(settled);
  expect(await index.state()).toBe('unavailable');
  await expect(index.requireAnswer()).rejects.toMatchObject(unavailable);
  await expect(index.searchPoints(space, query)).rejects.toMatchObject(unavailable);
  await expect(index.begin()).rejects.toMatchObject(unavailable);
  await expect(draft.publish()).rejects.toMatchObject(unavailable);
  expect(lost).toEqual([]);
});
