import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StoredTree } from '../groups/followed-faces.ts';
import { groupsOf, linkVectors } from './testing/link-vectors.ts';

const LENGTH = 4;
const unit = (values: readonly number[]): Float32Array => {
  const norm = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / norm);
};
const vector = fc.array(fc.integer({ min: -99, max: 99 }), {
  minLength: LENGTH,
  maxLength: LENGTH,
});
const faces = fc.array(vector, { minLength: 1, maxLength: 14 }).chain((values) =>
  fc.record({
    vectors: fc.constant(values.map(unit)),
    neighbors: fc.array(fc.array(fc.nat({ max: values.length - 1 }), { maxLength: 4 }), {
      minLength: values.length,
      maxLength: values.length,
    }),
  }),
);

interface Faces {
  readonly vectors: readonly Float32Array[];
  readonly neighbors: readonly (readonly number[])[];
}

/** Joins as the rule says, and compares all pairs of groups for each joining, by means instead of sums. */
function plainTree({ vectors, neighbors }: Faces): [number[], number][] {
  const areLinked = (a: number, b: number) =>
    neighbors[a]!.includes(b) || neighbors[b]!.includes(a);
  let groups = vectors.map((_, face) => ({ faces: [face], cosine: 1 }));
  const joined: [number[], number][] = [];
  for (;;) {
    const pairs = groups.flatMap((a, at) =>
      groups
        .slice(at + 1)
        .filter((b) => a.faces.some((face) => b.faces.some((other) => areLinked(face, other))))
        .map((b) => ({
          a,
          b,
          cosine: cosineOf(meanOf(a.faces, vectors), meanOf(b.faces, vectors)),
        })),
    );
    const [best, next] = pairs.sort((one, other) => other.cosine - one.cosine);
    if (best === undefined) return joined;
    // Rounding differs between the two implementations, so it would decide between equally similar pairs.
    fc.pre(next === undefined || best.cosine - next.cosine > 1e-6);
    const { a, b } = best;
    const cosine = Math.min(best.cosine, a.cosine, b.cosine);
    const group = { faces: [...a.faces, ...b.faces].sort((one, other) => one - other), cosine };
    joined.push([group.faces, cosine]);
    groups = groups.filter((each) => each !== a && each !== b).concat(group);
  }
}

/** The faces below a node, in ascending order. */
function membersOf(tree: StoredTree, node: number): number[] {
  if (node < tree.faces.length) return [node];
  const faces = partsOf(tree)[node - tree.faces.length]!.flatMap((part) => membersOf(tree, part));
  return faces.sort((a, b) => a - b);
}

/** The two nodes of each joining. */
const partsOf = ({ parts, cosines }: StoredTree): [number, number][] =>
  Array.from(cosines, (_, joining) => [parts[2 * joining]!, parts[2 * joining + 1]!]);

const meanOf = (members: readonly number[], vectors: readonly Float32Array[]): number[] =>
  Array.from(
    { length: LENGTH },
    (_, index) => members.reduce((sum, face) => sum + vectors[face]![index]!, 0) / members.length,
  );
const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * b[index]!, 0);
const cosineOf = (a: readonly number[], b: readonly number[]): number => {
  const scale = Math.sqrt(Math.sqrt(product(a, a)) * Math.sqrt(product(b, b)));
  return scale === 0 ? 0 : product(a, b) / scale;
};

describe('groups', () => {
  test('equal those of a plain implementation', () => {
    fc.assert(
      fc.property(faces, (linked) => {
        const plain = plainTree(linked);
        const tree = linkVectors(linked.vectors, linked.neighbors);
        expect(tree.cosines).toHaveLength(plain.length);
        for (const [index, [members, cosine]] of plain.entries()) {
          expect(tree.cosines[index]).toBeCloseTo(cosine, 5);
          expect(membersOf(tree, tree.faces.length + index)).toEqual(members);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('lie inside those of a lower cosine', () => {
    fc.assert(
      fc.property(
        faces,
        fc.double({ min: -1, max: 1, noNaN: true }),
        ({ vectors, neighbors }, cosine) => {
          const tree = linkVectors(vectors, neighbors);
          const outer = groupsOf(tree, cosine - 0.2);
          for (const inner of groupsOf(tree, cosine)) {
            expect(outer.some((group) => inner.every((face) => group.includes(face)))).toBe(true);
          }
        },
      ),
    );
  });

  test('are the same in whatever order the links come', () => {
    fc.assert(
      fc.property(faces, ({ vectors, neighbors }) => {
        const reversed = neighbors.map((near) => [...near].reverse());
        expect(linkVectors(vectors, reversed)).toEqual(linkVectors(vectors, neighbors));
      }),
    );
  });

  test('of faces that are all the same are joined by their order', () => {
    const vectors = Array.from({ length: 5 }, () => unit([1, 0, 0, 0]));
    const tree = linkVectors(
      vectors,
      vectors.map(() => vectors.keys()),
    );
    expect(groupsOf(tree, 0.999)).toEqual([[0, 1, 2, 3, 4]]);
    expect(partsOf(tree)).toEqual([
      [0, 1],
      [5, 2],
      [6, 3],
      [7, 4],
    ]);
  });

  test('are joined only by links', () => {
    const vectors = [unit([1, 0, 0, 0]), unit([1, 0, 0, 0]), unit([1, 0, 0, 0])];
    const tree = linkVectors(vectors, [[1], [0], []]);
    expect(groupsOf(tree, -1)).toEqual([[0, 1]]);
  });

  test('of opposite faces have no direction, and no similarity', () => {
    const vectors = [unit([1, 0, 0, 0]), unit([-1, 0, 0, 0]), unit([1, 0, 0, 0])];
    expect([...linkVectors(vectors, [[1], [], [1]]).cosines]).toEqual([-1, -1]);
  });
});
