import { describe, expect, test } from '@jest/globals';
import { SEGMENT_BYTES, VectorMemory } from './vector-memory.ts';
import { VectorRows } from './vector-rows.ts';

const { sin } = Math;
const vectorOf = (slot: number, dimension: number) =>
  Float32Array.from({ length: dimension }, (_, at) => sin(slot * 17 + at * 3 + 1));

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

function filled(memory: VectorMemory, dimension: number, slots: number): VectorRows {
  const rows = new VectorRows(memory, dimension);
  rows.resize(slots);
  for (let slot = 0; slot < slots; slot++) rows.set(slot, vectorOf(slot, dimension));
  return rows;
}

/** Returns the score of each query and slot. Fails if a score is missing or reported twice. */
function scan(rows: VectorRows, queries: readonly Float32Array[], slots: number): number[][] {
  const found = queries.map(() => new Array<number>(slots).fill(NaN));
  const packed = Float32Array.from(queries.flatMap((query) => [...query]));
  rows.scan(packed, slots, (query, first, scores) => {
    for (const [index, score] of scores.entries()) {
      expect(found[query]![first + index]).toBeNaN();
      found[query]![first + index] = score;
    }
  });
  return found;
}

function expectScores(
  rows: VectorRows,
  dimension: number,
  { queries, sources }: { queries: number; sources: readonly number[] },
): void {
  const queryVectors = Array.from({ length: queries }, (_, n) => vectorOf(n + 5000, dimension));
  const scores = scan(rows, queryVectors, sources.length);
  for (const [n, query] of queryVectors.entries()) {
    for (const [slot, source] of sources.entries()) {
      const exact = dot(query, vectorOf(source, dimension));
      const roundingOf = dimension * 1e-6;
      expect(scores[n]![slot]! - exact).toBeLessThan(roundingOf);
      expect(exact - scores[n]![slot]!).toBeLessThan(roundingOf);
    }
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, slot) => slot);

describe('scores are dot products', () => {
  test.each([
    1,
    3,
    15,
    16,
    17,
    64,
    127,
    512,
    513,
    2048,
    SEGMENT_BYTES / Float32Array.BYTES_PER_ELEMENT,
  ])('of vectors of %i values', (dimension) => {
    const rows = filled(new VectorMemory(), dimension, 20);
    expectScores(rows, dimension, { queries: 3, sources: upTo(20) });
  });

  test('over many segments, with more queries than fit into one', () => {
    const rows = filled(new VectorMemory(), 4096, 30);
    expectScores(rows, 4096, { queries: 20, sources: upTo(30) });
  });

  test('after the memory has grown', () => {
    const memory = new VectorMemory();
    const before = filled(memory, 100, 30);
    new VectorRows(memory, SEGMENT_BYTES / Float32Array.BYTES_PER_ELEMENT).resize(300);
    const after = filled(memory, 100, 30);
    expectScores(before, 100, { queries: 2, sources: upTo(30) });
    expectScores(after, 100, { queries: 2, sources: upTo(30) });
  });

  test('over several arenas, when one is full', () => {
    // Each arena has four segments, two of which contain queries and scores.
    const rows = filled(new VectorMemory({ segmentsPerArena: 4 }), 4096, 8 * 7);
    expectScores(rows, 4096, { queries: 3, sources: upTo(8 * 7) });
  });
});

test('a vector moves to another slot', () => {
  const rows = filled(new VectorMemory(), 100, 1000);
  rows.move(999, 3);
  rows.move(998, 4);
  rows.resize(998);
  const sources = upTo(998).map((slot) => ({ 3: 999, 4: 998 })[slot] ?? slot);
  expectScores(rows, 100, { queries: 2, sources });
});

test('released memory is reused, whatever its contents', () => {
  const memory = new VectorMemory({ segmentsPerArena: 4 });
  const rows = filled(memory, 4096, 16);
  rows.resize(0);
  const poisoned = new VectorRows(memory, 16);
  poisoned.resize(2048 * 2);
  for (let slot = 0; slot < 4096; slot++) poisoned.set(slot, new Float32Array(16).fill(Infinity));
  poisoned.resize(0);
  expectScores(filled(memory, 10, 4000), 10, { queries: 2, sources: upTo(4000) });
});
