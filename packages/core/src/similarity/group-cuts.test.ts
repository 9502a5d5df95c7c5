import { describe, expect, test } from '@jest/globals';
import { GroupCuts } from './group-cuts.ts';

let reads = 0;
/** Stores a tree of two faces in each version. */
const reader = {
  tree: () => {
    reads++;
    return Promise.resolve({
      faces: Float64Array.of(1, 2),
      confidences: Float64Array.of(0.9, 0.8),
      parts: Int32Array.of(0, 1),
      cosines: Float64Array.of(0.5),
    });
  },
  attached: () => Promise.resolve([{ id: 3, confidence: 0.7, joined: { face: 1, cosine: 0.6 } }]),
};
const keyOf = (version: number, attached = 0) => ({
  environmentId: 1,
  modelId: 2,
  version,
  attached,
});

/** Reads a tree at a cosine. Returns how many trees that took from the store. */
async function readsOf(cuts: GroupCuts, version: number, cosine = 0.5): Promise<number> {
  const before = reads;
  expect(await cuts.cut(keyOf(version), cosine, reader)).not.toBeNull();
  return reads - before;
}

describe('trees in memory', () => {
  test('are read once', async () => {
    const cuts = new GroupCuts();
    expect([await readsOf(cuts, 1), await readsOf(cuts, 1), await readsOf(cuts, 2)]).toEqual([
      1, 0, 1,
    ]);
    await cuts.cut(keyOf(2, 1), 0.5, reader);
    expect([await readsOf(cuts, 1), await readsOf(cuts, 2)]).toEqual([0, 0]);
  });

  test('have a limit, also if they are small, and the one that was used last stays longest', async () => {
    const cuts = new GroupCuts(20_000);
    for (let version = 1; version <= 50; version++) {
      await readsOf(cuts, version);
      expect(await readsOf(cuts, 1)).toBe(0);
    }
    expect(await readsOf(cuts, 50)).toBe(0);
    expect(await readsOf(cuts, 30)).toBe(1);
  });

  test('leave room that their cuts take', async () => {
    const cuts = new GroupCuts(20_000);
    await readsOf(cuts, 1);
    for (const cosine of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]) await readsOf(cuts, 2, cosine);
    expect(await readsOf(cuts, 1)).toBe(0);
    for (const cosine of [0.1, 0.2, 0.3, 0.4]) await readsOf(cuts, 3, cosine);
    expect(await readsOf(cuts, 2)).toBe(1);
  });

  test('that two requests read at once count once', async () => {
    const cuts = new GroupCuts(9_000);
    for (let times = 0; times < 20; times++) {
      await Promise.all([readsOf(cuts, 1), cuts.cut(keyOf(1), 0.5, reader)]);
    }
    expect(await readsOf(cuts, 2)).toBe(1);
    expect(await readsOf(cuts, 1)).toBe(0);
  });
});
