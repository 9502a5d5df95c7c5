import { compileKernel, newMemory, type Score, type WasmMemory } from './dot-product-kernel.ts';

/**
 * The unit of allocation. A fraction of a processor's L2 cache: a segment that one query has read is
 * still cached for the next.
 */
export const SEGMENT_BYTES = 128 * 1024;

const PAGE_BYTES = 64 * 1024;
const SEGMENT_PAGES = SEGMENT_BYTES / PAGE_BYTES;
const GROWTH_SEGMENTS = 128;
/** One less than fit into 4 GiB, so that the end of the last one has an address. */
const MOST_SEGMENTS = 65_536 / SEGMENT_PAGES - 1;
const SEGMENT_FLOATS = SEGMENT_BYTES / Float32Array.BYTES_PER_ELEMENT;
/** The first two segments of each arena hold the queries and the scores of a scan. */
const QUERIES_AT = 0;
const SCORES_AT = SEGMENT_FLOATS;
const RESERVED_SEGMENTS = 2;

/** A part of the memory. `at` is its offset in the arena's floats. */
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

  readonly #most: number;

  constructor(kernel: (memory: WasmMemory) => Score, mostSegments: number) {
    this.#most = mostSegments;
    this.#memory = newMemory({
      initial: RESERVED_SEGMENTS * SEGMENT_PAGES,
      maximum: mostSegments * SEGMENT_PAGES,
    });
    this.#score = kernel(this.#memory);
    this.floats = new Float32Array(this.#memory.buffer);
  }

  /** Adds segments; none if the arena has its maximum size. */
  grow(): Segment[] {
    const first = this.#segments;
    const added = Math.min(GROWTH_SEGMENTS, this.#most - first);
    this.#memory.grow(added * SEGMENT_PAGES);
    this.#segments += added;
    this.floats = new Float32Array(this.#memory.buffer);
    return Array.from({ length: added }, (_, index) => ({
      arena: this,
      at: (first + index) * SEGMENT_FLOATS,
    }));
  }

  /** Loads queries, each padded to a whole row: at most one segment. */
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

/** Allocates and reuses segments; memory is never returned to the system. */
export class VectorMemory {
  readonly #kernel = compileKernel();
  readonly #free: Segment[] = [];
  readonly #segmentsPerArena: number;
  #arena: Arena;

  constructor({ segmentsPerArena = MOST_SEGMENTS } = {}) {
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
    // The lowest address first: memory that was never written to is not resident.
    this.#free.push(...added.reverse());
  }

  #newArena(): Arena {
    return new Arena(this.#kernel, this.#segmentsPerArena);
  }
}

function bytes(floats: number): number {
  return floats * Float32Array.BYTES_PER_ELEMENT;
}
