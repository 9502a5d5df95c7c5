import { expect, test } from '@jest/globals';
import { EmbeddedVectorIndex } from '@sightline/vectors-embedded/embedded-vector-index';
import { describeVectorIndex } from './vector-index.contract.ts';

describeVectorIndex(
  'vectors-embedded',
  async () => {
    const index = await EmbeddedVectorIndex.open();
    return { index, [Symbol.asyncDispose]: () => index[Symbol.asyncDispose]() };
  },
  { tolerance: 1e-6 },
);

test('an embedded index that is closed is not ready, and says so', async () => {
  const lost: unknown[] = [];
  const index = await EmbeddedVectorIndex.open({ onLost: (reason) => lost.push(reason) });
  const space = { environmentId: 1, modelId: 1, kind: 'faces', dimension: 2 } as const;
  const query = { vectors: [Float32Array.of(1, 0)], limit: 1 };
  const pending = index.searchPoints(space, query);
  await Promise.all([
    expect(pending).rejects.toMatchObject({ code: 'vectors_unavailable' }),
    index[Symbol.asyncDispose](),
  ]);
  expect(await index.state()).toBe('incomplete');
  const late = index.searchPoints(space, query);
  await expect(late).rejects.toMatchObject({ code: 'vectors_unavailable' });
  expect(lost).toEqual([]);
});
