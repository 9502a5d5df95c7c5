import { LANES } from './kernels/dot-product-kernel.ts';
import { type Arena, type Segment, SEGMENT_BYTES, type VectorMemory } from './vector-memory.ts';

/**
 * Receives the scores of one query with the rows of one segment, which begins with slot `first`. `scores` is valid only
 * during the call.
 */
export type OnScores = (query: number, first: number, scores: Float32Array) => void;

/** Vectors of one length in numbered slots from 0. Each slot is a row of a segment. */
export class VectorRows {
  readonly #memory: VectorMemory;
  readonly #dimension: number;
  /** The length of a row with its padding, in floats. */
  readonly #rowFloats: number;
  readonly #rowsPerSegment: number;
  readonly #segments: Segment[] = [];

  constructor(memory: VectorMemory, dimension: number) {
    this.#memory = memory;
    this.#dimension = dimension;
    this.#rowFloats = Math.ceil(dimension / LANES) * LANES;
    const rowBytes = this.#rowFloats * Float32Array.BYTES_PER_ELEMENT;
    this.#rowsPerSegment = Math.floor(SEGMENT_BYTES / rowBytes);
  }

  /**
   * Allocates memory for this many slots, or releases memory that is no longer needed.
   *
   * @throws RangeError if no memory is left; in that case nothing has changed
   */
  resize(slots: number): void {
    const before = this.#segments.length;
    const needed = Math.ceil(slots / this.#rowsPerSegment);
    try {
      while (this.#segments.length < needed) this.#segments.push(this.#memory.allocate());
    } catch (error) {
      this.#keepSegments(before);
      throw error;
    }
    this.#keepSegments(needed);
  }

  set(slot: number, vector: Float32Array): void {
    const { arena, at } = this.#rowOf(slot);
    arena.floats.set(vector, at);
    // The padding is cleared, because the segment may have contained rows of another length.
    arena.floats.fill(0, at + this.#dimension, at + this.#rowFloats);
  }

  /** Returns a view of a vector, which is valid until the next change. */
  get(slot: number): Float32Array {
    const { arena, at } = this.#rowOf(slot);
    return arena.floats.subarray(at, at + this.#dimension);
  }

  move(from: number, to: number): void {
    this.set(to, this.get(from));
  }

  /**
   * Computes the scores of the queries, which follow one another, with the slots below `slots`. Queries are processed
   * in groups of as many as a segment has rows. For each group, every segment is read from memory only once.
   */
  scan(queries: Float32Array, slots: number, onScores: OnScores): void {
    const count = queries.length / this.#dimension;
    for (let first = 0; first < count; first += this.#rowsPerSegment) {
      const end = Math.min(first + this.#rowsPerSegment, count);
      const some = queries.subarray(first * this.#dimension, end * this.#dimension);
      this.#pass(this.#pad(some), slots, (query, slot, scores) =>
        onScores(first + query, slot, scores),
      );
    }
  }

  #keepSegments(count: number): void {
    while (this.#segments.length > count) this.#memory.release(this.#segments.pop()!);
  }

  #pass(padded: Float32Array, slots: number, onScores: OnScores): void {
    const floats = this.#rowFloats;
    const queries = padded.length / floats;
    let loaded: Arena | null = null;
    for (const [index, { arena, at }] of this.#segments.entries()) {
      if (arena !== loaded) arena.loadQueries(padded);
      loaded = arena;
      const first = index * this.#rowsPerSegment;
      const count = Math.min(this.#rowsPerSegment, slots - first);
      for (let query = 0; query < queries; query++) {
        onScores(query, first, arena.score(query * floats, { at, count, floats }));
      }
    }
  }

  #pad(queries: Float32Array): Float32Array {
    const count = queries.length / this.#dimension;
    const padded = new Float32Array(count * this.#rowFloats);
    for (let query = 0; query < count; query++) {
      const from = query * this.#dimension;
      padded.set(queries.subarray(from, from + this.#dimension), query * this.#rowFloats);
    }
    return padded;
  }

  #rowOf(slot: number): Segment {
    const { arena, at } = this.#segments[Math.floor(slot / this.#rowsPerSegment)]!;
    return { arena, at: at + (slot % this.#rowsPerSegment) * this.#rowFloats };
  }
}
