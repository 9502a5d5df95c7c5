import {
  compileKernel,
  newMemory,
  type Score,
  type WasmMemory,
} from './kernels/dot-product-kernel.ts';

/**
 * The size of a segment, the unit of allocation. A segment fits into the L2 cache of a CPU, so the second query on a
 * segment reads it from the cache.
 */
export const SEGMENT_BYTES = 128 * 1024;

const PAGE_BYTES = 64 * 1024;
const SEGMENT_PAGES = SEGMENT_BYTES / PAGE_BYTES;
/**
 * The minimum number of segments by which an arena grows. Larger arenas grow by half, because each growth causes a
 * garbage collection of all of V8's memory.
 */
const GROWTH_SEGMENTS = 128;
/**
 * The maximum number of segments of an arena. One segment less than fits into 4 GiB, because the end of the last
 * segment must be a 32-bit offset.
 */
const MAX_SEGMENTS = 65_536 / SEGMENT_PAGES - 1;
const SEGMENT_FLOATS = SEGMENT_BYTES / Float32Array.BYTES_PER_ELEMENT;
/** The first two segments of each arena contain the queries and the scores of a scan. */
const QUERIES_AT = 0;
const SCORES_AT = SEGMENT_FLOATS;
const RESERVED_SEGMENTS = 2;

/** A part of an arena. `at` is its offset in the arena, in floats. */
export interface Segment {
  readonly arena: Arena;
  readonly at: number;
}

/** A WebAssembly memory of up to 4 GiB. */
export class Arena {
  /** The whole memory. This array is replaced when the memory grows. */
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

  /** Adds segments and returns them. Returns none if the arena has its maximum size. */
  grow(): Segment[] {
    const first = this.#segments;
    const desired = Math.max(GROWTH_SEGMENTS, first >> 1);
    const added = Math.min(desired, this.#maxSegments - first);
    this.#memory.grow(added * SEGMENT_PAGES);
    this.#segments += added;
    this.floats = new Float32Array(this.#memory.buffer);
    return Array.from({ length: added }, (_, index) => ({
      arena: this,
      at: (first + index) * SEGMENT_FLOATS,
    }));
  }

  /**
   * Stores the queries for the following calls of `score`, padded to whole rows. All of them must fit into one segment.
   */
  loadQueries(queries: Float32Array): void {
    this.floats.set(queries, QUERIES_AT);
  }

  /** Computes the dot products of a query with consecutive rows. `query` is the offset of the query in floats. */
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

/** Allocates segments and reuses released ones. Memory is never returned to the system. */
export class VectorMemory {
  readonly #kernel = compileKernel();
  readonly #free: Segment[] = [];
  readonly #segmentsPerArena: number;
  #arena: Arena;

  constructor({ segmentsPerArena = MAX_SEGMENTS } = {}) {
    this.#segmentsPerArena = segmentsPerArena;
    this.#arena = this.#newArena();
  }

  /** @throws RangeError if no memory is left */
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
    // The lowest new segment is used first, because memory that was never written occupies no RAM.
    this.#free.push(...added.reverse());
  }

  #newArena(): Arena {
    return new Arena(this.#kernel, this.#segmentsPerArena);
  }
}

function bytes(floats: number): number {
  return floats * Float32Array.BYTES_PER_ELEMENT;
}
