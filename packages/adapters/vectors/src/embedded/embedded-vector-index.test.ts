import { expect, test } from '@jest/globals';
import { EmbeddedVectorIndex } from './embedded-vector-index.ts';

/** With this script, `dropEnvironment` crashes the thread. */
const script = new URL('./fixtures/scripted-thread.ts', import.meta.url);
const space = { environmentId: 1, modelId: 1, kind: 'faces', dimension: 2 } as const;
const unavailable = expect.objectContaining({ code: 'vectors_unavailable' });

test('an index that lost its thread is incomplete until another draft is published', async () => {
  const lost: unknown[] = [];
  await using index = new EmbeddedVectorIndex({ script, onLost: (reason) => lost.push(reason) });
  await (await index.begin()).publish();
  await expect(index.dropEnvironment(1)).rejects.toEqual(unavailable);
  expect(await index.state()).toBe('incomplete');
  await expect(index.list(space, { after: 0, limit: 1 })).rejects.toEqual(unavailable);
  await expect(index.requireAnswer()).rejects.toEqual(unavailable);
  expect(lost).toEqual([unavailable]);
  await (await index.begin()).publish();
  expect(await index.state()).toBe('ready');
});

test('a draft that lost its thread cannot be published, and the index keeps working', async () => {
  const lost: unknown[] = [];
  await using index = new EmbeddedVectorIndex({ script, onLost: (reason) => lost.push(reason) });
  await (await index.begin()).publish();
  const draft = await index.begin();
  await expect(draft.dropEnvironment(1)).rejects.toEqual(unavailable);
  await expect(draft.publish()).rejects.toEqual(unavailable);
  expect(await index.state()).toBe('ready');
  await index.requireAnswer();
  expect(lost).toEqual([]);
});
