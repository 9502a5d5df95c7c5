import { describe, expect, test } from '@jest/globals';
import type { AttachedStranger } from '../groups/followed-faces.ts';
import { grownTree, withAttached } from './grown-tree.ts';
import { groupsOf } from './testing/link-vectors.ts';

/** The faces 2 and 8, joined at 0.6, and 5 alone. */
const LINKED = {
  faces: Float64Array.of(2, 5, 8),
  confidences: Float64Array.of(0.7, 0.9, 0.8),
  parts: Int32Array.of(0, 2),
  cosines: Float64Array.of(0.6),
};

const STRANGERS: readonly AttachedStranger[] = [
  { id: 9, confidence: 0.8, joined: { face: 8, cosine: 0.8 } },
  { id: 1, confidence: 0.95, joined: { face: 9, cosine: 0.5 } },
  { id: 6, confidence: 0.5, joined: { face: 5, cosine: 0.7 } },
  { id: 7, confidence: 0.6, joined: null },
];

describe('a tree with attached strangers', () => {
  test('has all faces, by id and by confidence', () => {
    const { tree, ordered } = withAttached(grownTree(LINKED), STRANGERS);
    expect([...tree.faces]).toEqual([1, 2, 5, 6, 7, 8, 9]);
    expect([...tree.confidences]).toEqual([0.95, 0.7, 0.9, 0.5, 0.6, 0.8, 0.8]);
    expect(Array.from(ordered, (face) => tree.faces[face])).toEqual([1, 5, 8, 9, 2, 7, 6]);
  });

  test.each([
    { cosine: 0.9, groups: [] },
    { cosine: 0.8, groups: [[8, 9]] },
    {
      cosine: 0.7,
      groups: [
        [5, 6],
        [8, 9],
      ],
    },
    {
      cosine: 0.6,
      groups: [
        [5, 6],
        [8, 9, 2],
      ],
    },
    {
      cosine: 0.5,
      groups: [
        [1, 8, 9, 2],
        [5, 6],
      ],
    },
  ])('has groups at $cosine', ({ cosine, groups }) => {
    expect(groupsOf(LINKED, cosine, STRANGERS)).toEqual(groups);
  });
});
