import {
  compileKernel,
  newMemory,
  type Score,
  type WasmMemory,
} from './kernels/dot-product-kernel.ts';

/**
 * The unit of allocation. A fraction of a CPU's L2 cache: a segment read by one query is still
 * cached for the next one.
 */
export const SEGMENT_BYTES = 128 * 1024;

const PAGE_BYTES = 64 * 1024;
const SEGMENT_PAGES = SEGMENT_BYTES / PAGE_BYTES;
/**
 * The minimum growth. Above it an arena grows by half, because each growth costs a garbage collection in all of V8.
 */
const GROWTH_SEGMENTS = 128;
/** One segment fewer than fits into 4 GiB, so that the offset at which the last one ends still fits into 32 bits. */
const MAX_SEGMENTS = 65_536 / SEGMENT_PAGES - 1;
const SEGMENT_FLOATS = SEGMENT_BYTES / Float32Array.BYTES_PER_ELEMENT;
/** The first two segments of each arena hold the queries and the scores of a scan. */
const QUERIES_AT = 0;
const SCORES_AT = SEGMENT_FLOATS;
const RESERVED_SEGMENTS = 2;

/** A part of an arena; `at` is its offset in the arena's floats. */
export interface Segment {
  readonly arena: Arena;
  readonly at: number;
}

/** One WebAssembly memory, up to 4 GiB. */
export class Arena {
  /** The whole memory; replaced when it grows. */
  floats: Float32Array;
  readonly #memory: WasmMemory;
  readonly #score: Score;
  #segments = RESERVED_SEGMENTS;

  readonly #maxSegments: number;

  constructor(kernel: (memory: WasmMemory) => Score, maxSegments: number) {
    this.#maxSegments = maxSegments;
    this.#memory = newMemory({
      initial: RESERVED_SEGMENTS * SEGMENT_PAGES,
      maximum: maxSegments * SEGMENT_PAGES,
    });
    this.#score = kernel(this.#memory);
    this.floats = new Float32Array(this.#memory.buffer);
  }

  /** Adds segments; none if the arena has reached its maximum. */
  grow(): Segment[] {
    const first = this.#segments;
    const wanted = Math.max(GROWTH_SEGMENTS, first >> 1);
    const added = Math.min(wanted, this.#maxSegments - first);
    this.#memory.grow(added * SEGMENT_PAGES);
    this.#segments += added;
    this.floats = new Float32Array(this.#memory.buffer);
    return Array.from({ length: added }, (_, index) => ({
      arena: this,
      at: (first + index) * SEGMENT_FLOATS,
    }));
  }

  /** Stores queries: at most one segment, each padded to a whole row. */
  loadQueries(queries: Float32Array): void {
    this.floats.set(queries, QUERIES_AT);
  }

  /** Dot products of the query at this offset (in floats) with rows of the same length. */
  score(query: number, rows: { at: number; count: number; floats: number }): Float32Array {
    const { at, count, floats } = rows;
    this.#score(
      bytes(at),
      bytes(at + count * floats),
      bytes(QUERIES_AT + query),
      bytes(QUERIES_AT + query + floats),
      bytes(SCORES_AT),
    );
    return this.floats.subarray(SCORES_AT, SCORES_AT + count);
  }
}

/** Allocates and recycles segments. Memory is never returned to the system. */
export class VectorMemory {
  readonly #kernel = compileKernel();
  readonly #free: Segment[] = [];
  readonly #segmentsPerArena: number;
  #arena: Arena;

  constructor({ segmentsPerArena = MAX_SEGMENTS } = {}) {
    this.#segmentsPerArena = segmentsPerArena;
    this.#arena = this.#newArena();
  }

  /** @throws RangeError if there is no memory left */
  allocate(): Segment {
    if (this.#free.length === 0) this.#grow();
    return this.#free.pop()!;
  }

  release(segment: Segment): void {
    this.#free.push(segment);
  }

  #grow(): void {
    let added = this.#arena.grow();
    if (added.length === 0) {
      this.#arena = this.#newArena();
      added = this.#arena.grow();
    }
    // The lowest is used first: memory that was never written to occupies no RAM.
    this.#free.push(...added.reverse());
  }

  #newArena(): Arena {
    return new Arena(this.#kernel, this.#segmentsPerArena);
  }
}

function bytes(floats: number): number {
  return floats * Float32Array.BYTES_PER_ELEMENT;
}
