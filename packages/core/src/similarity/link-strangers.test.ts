import { expect, jest, test } from '@jest/globals';
import type { FacesToLink } from './group-linker.ts';
import { GrowingTree } from './growing-tree.ts';
import { linkStrangers } from './link-strangers.ts';
import { NeighborLists } from './neighbor-lists.ts';

const listOf = (ids: readonly number[]) => ({
  ids,
  cosines: ids.map((_, at) => 1 - at / 100),
  fingerprint: 1,
  isComplete: true,
});

/** Links strangers with these lists. Returns what the linker was given. */
async function packed(faces: readonly number[], lists: NeighborLists): Promise<FacesToLink> {
  let given: FacesToLink | undefined;
  const link = (asked: FacesToLink) => {
    given = asked;
    return Promise.resolve({ parts: new Int32Array(), cosines: new Float64Array() });
  };
  const vectors = { ids: Float64Array.from(faces), vectors: new Float32Array(faces.length) };
  const strangers = new Map(
    faces.map((id) => [id, { confidence: id / 100, fingerprint: 1, arrivedAt: 0 }]),
  );
  const tree = await linkStrangers({ link }, { vectors, strangers, lists });
  expect(tree.confidences).toEqual(Float64Array.from(faces, (id) => id / 100));
  return given!;
}

test('the linker is given the positions of the neighbors, without faces that are not linked', async () => {
  const lists = new NeighborLists();
  lists.set(10, listOf([30, 40, 20]));
  lists.set(30, listOf([10]));
  expect(await packed([10, 20, 30], lists)).toEqual({
    faces: 3,
    vectors: new Float32Array(3),
    ends: Int32Array.of(2, 2, 3),
    targets: Int32Array.of(2, 1, 0),
  });
});

test('the event loop serves other work while faces are packed, placed in a tree, or depart', async () => {
  const faces = Array.from({ length: 1_000 }, (_, at) => at + 1);
  const lists = new NeighborLists();
  for (const id of faces) lists.set(id, listOf([(id % 1_000) + 1]));
  const tree = {
    faces: Float64Array.from(faces),
    confidences: new Float64Array(faces.length),
    parts: Int32Array.from({ length: 2 * (faces.length - 1) }, (_, at) => at),
    cosines: new Float64Array(faces.length - 1),
  };
  // All work takes long on this clock.
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  let served = 0;
  let serving = setImmediate(function serve() {
    served++;
    serving = setImmediate(serve);
  });
  const servedDuring = async (work: () => Promise<unknown>): Promise<number> => {
    const before = served;
    await work();
    return served - before;
  };
  expect(await servedDuring(() => packed(faces, lists))).toBeGreaterThan(10);
  expect(await servedDuring(() => GrowingTree.of(tree))).toBeGreaterThan(10);
  expect(await servedDuring(() => lists.depart(new Set([7])))).toBeGreaterThan(10);
  clearImmediate(serving);
  clock.mockRestore();
});
