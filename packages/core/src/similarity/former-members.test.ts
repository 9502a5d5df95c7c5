import { expect, test } from '@jest/globals';
import type { GroupReader } from '../groups/group-reader.ts';
import { type ClusterKey, clusterId, parseClusterId } from './cluster-id.ts';
import { formerMembers } from './former-members.ts';
import { GroupCuts } from './group-cuts.ts';

const space = { environmentId: 1, modelId: 2 };

/** A tree whose faces are one group. */
const treeOf = (faces: readonly number[]) => ({
  faces: Float64Array.from(faces),
  confidences: new Float64Array(faces.length).fill(0.9),
  parts: Int32Array.from(
    faces.slice(1).flatMap((_, at) => [at === 0 ? 0 : faces.length + at - 1, at + 1]),
  ),
  cosines: new Float64Array(faces.length - 1).fill(0.9),
});

interface Stored {
  /** The faces of each tree, by version. */
  readonly trees: Readonly<Record<number, readonly number[]>>;
  /** The faces that were attached to the newest tree, in their order. */
  readonly attached?: readonly number[];
  /** The faces that have left the newest tree, in their order. */
  readonly left?: readonly number[];
}

function find({ trees, attached = [], left = [] }: Stored, ids: readonly number[]) {
  const newest = Math.max(...Object.keys(trees).map(Number));
  const countOf = (version: number) => (version === newest ? attached.length : 0);
  const reader: Pick<GroupReader, 'versions' | 'tree' | 'attached' | 'departures'> = {
    versions: () =>
      Promise.resolve(
        Object.keys(trees)
          .map((text) => ({ version: Number(text), attached: countOf(Number(text)) }))
          .toReversed(),
      ),
    tree: (_, version) => Promise.resolve(treeOf(trees[version]!)),
    attached: (_, version) =>
      Promise.resolve(
        attached
          .slice(0, version.attached)
          .map((id) => ({ id, confidence: 0.8, joined: { face: 1, cosine: 0.9 } })),
      ),
    departures: (some) => Promise.resolve(left.filter((id) => some.includes(id))),
  };
  const key: ClusterKey = parseClusterId(clusterId(ids, 0.5))!;
  return formerMembers({ cuts: new GroupCuts(), reader }, { space, key });
}

const sorted = (ids: readonly number[] | null) => ids?.toSorted((a, b) => a - b) ?? null;

test.each<[string, Stored, readonly number[]]>([
  ['as it is', { trees: { 1: [1, 2, 3] } }, [1, 2, 3]],
  ['before faces left', { trees: { 1: [1, 2, 3, 4] }, left: [3, 2] }, [1, 2, 3, 4]],
  ['between two departures', { trees: { 1: [1, 2, 3, 4] }, left: [3, 2] }, [1, 2, 4]],
  ['before a face came', { trees: { 1: [1, 2, 3] }, attached: [9, 8] }, [1, 2, 3, 9]],
  [
    'after one left and before one came',
    { trees: { 1: [1, 2, 3] }, attached: [9, 8], left: [2] },
    [1, 3, 9],
  ],
  ['in an earlier tree', { trees: { 1: [1, 2, 3, 4], 2: [1, 2, 5] } }, [1, 2, 3, 4]],
  [
    'after all had left that the next tree lacks',
    { trees: { 1: [1, 2, 3, 4], 2: [1, 2, 5] } },
    [1, 2],
  ],
])('a group is found %s', async (_, stored, ids) => {
  expect(sorted(await find(stored, ids))).toEqual(ids);
});

test.each<[string, Stored, readonly number[]]>([
  ['of other faces', { trees: { 1: [1, 2, 3] } }, [1, 2, 7]],
  ['of more faces', { trees: { 1: [1, 2, 3] } }, [1, 2, 3, 4]],
  ['without its first face', { trees: { 1: [2, 3] } }, [1, 2, 3]],
])('a group is not found %s', async (_, stored, ids) => {
  expect(await find(stored, ids)).toBeNull();
});
