import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StoredTree } from '../groups/followed-faces.ts';
import { GrowingTree } from './growing-tree.ts';
import { groupsOf, linkVectors } from './testing/link-vectors.ts';

/** Vectors in a plane, by the angle in degrees. */
function at(degrees: number): Float32Array {
  const radians = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(radians), Math.sin(radians));
}

function treeOf(angles: readonly number[]): StoredTree {
  const vectors = angles.map(at);
  return linkVectors(
    vectors,
    vectors.map(() => vectors.keys()),
  );
}

async function grow(angles: readonly number[], arriving: readonly number[]) {
  const tree = await GrowingTree.of(treeOf(angles));
  const all = [...angles];
  for (const angle of arriving) {
    const vector = at(angle);
    const cosine = (other: number) => at(other)[0]! * vector[0]! + at(other)[1]! * vector[1]!;
    const best = all.reduce((one, other, id) => (cosine(other) > cosine(all[one]!) ? id : one), 0);
    const nearest = all.length === 0 ? null : best;
    const id = all.push(angle) - 1;
    const vectorsOf = (ids: readonly number[]) => Promise.resolve(ids.map((one) => at(all[one]!)));
    await tree.attach({ id, confidence: 0.8, vector, nearest }, vectorsOf);
  }
  return { tree: tree.toStored(), attached: tree.attached };
}

/** Parts of a circle, so that some faces are equally near to several. */
const ANGLES = fc.array(fc.integer({ min: 0, max: 359 }), { maxLength: 12 });

describe('a growing tree', () => {
  test('stays the same without an arrival', async () => {
    const tree = treeOf([0, 10, 100, 101, 200]);
    const { tree: grown } = await grow([0, 10, 100, 101, 200], []);
    for (const cosine of [-1, 0, 0.5, 0.99]) {
      expect(groupsOf(grown, cosine)).toEqual(groupsOf(tree, cosine));
    }
  });

  test('gives a face to the group that it is most similar to', async () => {
    const { tree: grown } = await grow([0, 2, 100, 104], [1, 102, 220]);
    expect(groupsOf(grown, 0.9)).toEqual([
      [0, 1, 4],
      [2, 3, 5],
    ]);
    expect(groupsOf(grown, -1)).toEqual([[0, 1, 2, 3, 4, 5, 6]]);
  });

  test('does not give a face to a large group that it is unlike', async () => {
    const size = 1200;
    const faces = Float64Array.from({ length: size }, (_, id) => id);
    const joinings = Array.from({ length: size - 1 }, (_, at) => at);
    const tree = await GrowingTree.of({
      faces,
      confidences: new Float64Array(size),
      // Each joining has the next face and those before it.
      parts: Int32Array.from(joinings.flatMap((at) => [at === 0 ? 0 : size + at - 1, at + 1])),
      cosines: new Float64Array(size - 1).fill(0.9),
    });
    const stranger = { id: size, confidence: 0.8, vector: at(70), nearest: 0 };
    await tree.attach(stranger, (ids) => Promise.resolve(ids.map(() => at(0))));
    expect(groupsOf(tree.toStored(), 0.5)).toEqual([[...faces]]);
    expect(groupsOf(tree.toStored(), 0.3)).toEqual([[size, ...faces]]);
  });

  test('lets two strangers of one new person find each other', async () => {
    const { tree: grown } = await grow([0, 2], [150, 151]);
    expect(groupsOf(grown, 0.9)).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  test('has each face once, and groups within those of a lower cosine', async () => {
    await fc.assert(
      fc.asyncProperty(ANGLES, ANGLES, async (first, arriving) => {
        const { tree } = await grow(first, arriving);
        expect([...tree.faces]).toEqual([...first, ...arriving].map((_, id) => id));
        expect(tree.cosines).toHaveLength(Math.max(0, tree.faces.length - 1));
        const [inner, outer] = [groupsOf(tree, 0.7), groupsOf(tree, 0.3)];
        for (const group of inner) {
          expect(outer.some((other) => group.every((id) => other.includes(id)))).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
  test('is the tree that was linked with the faces that were attached', async () => {
    const cosines = fc.double({ min: -1, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(ANGLES, ANGLES, cosines, async (first, arriving, cosine) => {
        const linked = treeOf(first);
        const { tree, attached } = await grow(first, arriving);
        const again = (await GrowingTree.of(linked, attached)).toStored();
        for (const at of [cosine, ...tree.cosines]) {
          const groups = groupsOf(tree, at);
          expect(groupsOf(linked, at, attached)).toEqual(groups);
          expect(groupsOf(again, at)).toEqual(groups);
        }
      }),
      { numRuns: 100 },
    );
  });
});
