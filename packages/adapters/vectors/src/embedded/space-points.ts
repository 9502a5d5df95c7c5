import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import type { IdentityHit, PointHit, VectorEntry } from '@sightline/core/vectors/vector-index';
import { IdentityOrdinals } from './identity-ordinals.ts';
import { Ranking } from './ranking.ts';
import type { VectorMemory } from './vector-memory.ts';
import { VectorRows } from './vector-rows.ts';

/** Points as parallel arrays, which move between threads without a copy. */
export interface PackedPoints {
  readonly ids: Float64Array<ArrayBuffer>;
  /** The identity ids, with NaN for points without identity. */
  readonly identityIds: Float64Array<ArrayBuffer>;
  readonly fingerprints: Float64Array<ArrayBuffer>;
  /** The vectors of all points, one after another. */
  readonly vectors: Float32Array<ArrayBuffer>;
}

/** Points and their cosines with a query in float64, as parallel arrays. */
export interface PackedHits {
  readonly ids: Float64Array<ArrayBuffer>;
  readonly cosines: Float64Array<ArrayBuffer>;
}

export interface LeastCosine {
  readonly least: number;
  /** Whether only points without identity are found. */
  readonly unnamedOnly: boolean;
}

export interface PackedVectors {
  readonly ids: Float64Array<ArrayBuffer>;
  /** The vectors, one after another. */
  readonly vectors: Float32Array<ArrayBuffer>;
}

const NO_IDENTITY = -1;
/** By how much a score may differ from the cosine in float64, because it is computed in float32 in another order. */
const SCORE_ERROR = 1e-5;
/** How many more hits than requested are compared in float64, because the scores may have another order. */
const MORE_HITS = 8;

/** The points of one space. Slots have no gaps: when a point is removed, the last point moves to its slot. */
export class SpacePoints {
  readonly #dimension: number;
  readonly #rows: VectorRows;
  readonly #slotOf = new Map<number, number>();
  readonly #identities = new IdentityOrdinals();
  /** The ids, by slot. */
  readonly #ids: number[] = [];
  /** The ordinals of the identities, by slot; NO_IDENTITY for points without identity. */
  readonly #ordinals: number[] = [];
  /** The fingerprints, by slot. */
  readonly #fingerprints: number[] = [];
  /** All ids in ascending order; null after a change, until the next list. */
  #sorted: Float64Array | null = null;

  constructor(memory: VectorMemory, dimension: number) {
    this.#dimension = dimension;
    this.#rows = new VectorRows(memory, dimension);
  }

  get size(): number {
    return this.#ids.length;
  }

  /**
   * Inserts or replaces points.
   *
   * @throws RangeError if no memory is left; in that case nothing has changed
   */
  upsert({ ids, identityIds, fingerprints, vectors }: PackedPoints): void {
    const added = new Set(ids.filter((id) => !this.#slotOf.has(id))).size;
    this.#rows.resize(this.size + added);
    for (const [index, id] of ids.entries()) {
      const slot = this.#slotOf.get(id) ?? this.#append(id);
      this.#assign(slot, identityIds[index]!);
      this.#fingerprints[slot] = fingerprints[index]!;
      const from = index * this.#dimension;
      this.#rows.set(slot, vectors.subarray(from, from + this.#dimension));
    }
  }

  remove(ids: Float64Array): void {
    for (const id of ids) {
      const slot = this.#slotOf.get(id);
      if (slot !== undefined) this.#removeSlot(id, slot);
    }
    this.#rows.resize(this.size);
  }

  /** Releases all memory. The instance must not be used afterwards. */
  release(): void {
    this.#rows.resize(0);
  }

  /** Searches for several vectors, which follow one another in `vectors`. Returns one result per vector. */
  searchIdentities(vectors: Float32Array, limit: number): IdentityHit[][] {
    const best = this.#perQuery(vectors, () => ({
      cosines: new Float32Array(this.#identities.end).fill(-Infinity),
      slots: new Int32Array(this.#identities.end),
    }));
    this.#rows.scan(vectors, this.size, (query, first, scores) => {
      const { cosines, slots } = best[query]!;
      for (let index = 0; index < scores.length; index++) {
        const slot = first + index;
        const ordinal = this.#ordinals[slot]!;
        if (ordinal === NO_IDENTITY || !(scores[index]! >= cosines[ordinal]!)) continue;
        const tie = scores[index] === cosines[ordinal];
        if (tie && this.#ids[slots[ordinal]!]! < this.#ids[slot]!) continue;
        cosines[ordinal] = scores[index]!;
        slots[ordinal] = slot;
      }
    });
    return best.map(({ cosines, slots }) => this.#bestIdentities(cosines, slots, limit));
  }

  /** Searches for several vectors, which follow one another in `vectors`. Returns one result per vector. */
  searchPoints(vectors: Float32Array, limit: number): PointHit[][] {
    const rankings = this.#perQuery(vectors, () => new Ranking(limit));
    this.#rows.scan(vectors, this.size, (query, first, scores) => {
      const ranking = rankings[query]!;
      for (let index = 0; index < scores.length; index++) {
        if (!(scores[index]! >= ranking.minCosine)) continue;
        ranking.add(scores[index]!, this.#ids[first + index]!, first + index);
      }
    });
    return rankings.map(({ ranked }) =>
      ranked.map(({ cosine, id, slot }) => ({
        id,
        identityId: this.#identityOf(slot),
        cosine: clamped(cosine),
      })),
    );
  }

  /**
   * Searches for the points without identity that are nearest to several vectors. The order of the hits is that of their
   * cosines in float64; equal ones are in the order of their ids.
   */
  nearestUnnamed(vectors: Float32Array, limit: number): PackedHits[] {
    const rankings = this.#perQuery(vectors, () => new Ranking(limit + MORE_HITS));
    this.#rows.scan(vectors, this.size, (query, first, scores) => {
      const ranking = rankings[query]!;
      for (let index = 0; index < scores.length; index++) {
        if (!(scores[index]! >= ranking.minCosine)) continue;
        if (this.#ordinals[first + index] !== NO_IDENTITY) continue;
        ranking.add(scores[index]!, this.#ids[first + index]!, first + index);
      }
    });
    return rankings.map(({ ranked }, query) => {
      const hits = ranked
        .map(({ id, slot }) => ({ id, cosine: this.#cosine(vectors, query, slot) }))
        .sort((a, b) => b.cosine - a.cosine || a.id - b.id)
        .slice(0, limit);
      return packHits(hits);
    });
  }

  /** Finds all points, or all without identity, whose cosine in float64 with a vector is at least `least`. */
  above(vectors: Float32Array, { least, unnamedOnly }: LeastCosine): PackedHits[] {
    const found = this.#perQuery(vectors, () => ({ ids: [] as number[], cosines: [] as number[] }));
    this.#rows.scan(vectors, this.size, (query, first, scores) => {
      const { ids, cosines } = found[query]!;
      for (let index = 0; index < scores.length; index++) {
        const slot = first + index;
        if (!(scores[index]! >= least - SCORE_ERROR)) continue;
        if (unnamedOnly && this.#ordinals[slot] !== NO_IDENTITY) continue;
        const cosine = this.#cosine(vectors, query, slot);
        if (!(cosine >= least)) continue;
        ids.push(this.#ids[slot]!);
        cosines.push(cosine);
      }
    });
    return found.map(({ ids, cosines }) => ({
      ids: Float64Array.from(ids),
      cosines: Float64Array.from(cosines),
    }));
  }

  /** Copies the points without identity, in ascending order of their ids. */
  unnamed(): PackedVectors {
    const slots = [...this.#ids.keys()]
      .filter((slot) => this.#ordinals[slot] === NO_IDENTITY)
      .sort((a, b) => this.#ids[a]! - this.#ids[b]!);
    const vectors = new Float32Array(slots.length * this.#dimension);
    for (const [index, slot] of slots.entries()) {
      vectors.set(this.#rows.get(slot), index * this.#dimension);
    }
    return { ids: Float64Array.from(slots, (slot) => this.#ids[slot]!), vectors };
  }

  /** Copies the vectors of points, without points that do not exist. */
  vectors(ids: Float64Array): Float32Array[] {
    return Array.from(ids).flatMap((id) => {
      const slot = this.#slotOf.get(id);
      return slot === undefined ? [] : [this.#rows.get(slot).slice()];
    });
  }

  #cosine(vectors: Float32Array, query: number, slot: number): number {
    const from = query * this.#dimension;
    return cosineSimilarity(vectors.subarray(from, from + this.#dimension), this.#rows.get(slot));
  }

  /** Lists points with ids above `after`, in ascending order. */
  list(after: number, limit: number): VectorEntry[] {
    this.#sorted ??= Float64Array.from(this.#ids).sort();
    const first = countUpTo(this.#sorted, after);
    return Array.from(this.#sorted.subarray(first, first + limit), (id) => {
      const slot = this.#slotOf.get(id)!;
      return { id, identityId: this.#identityOf(slot), fingerprint: this.#fingerprints[slot]! };
    });
  }

  #perQuery<T>(vectors: Float32Array, make: () => T): T[] {
    return Array.from({ length: vectors.length / this.#dimension }, make);
  }

  #bestIdentities(cosines: Float32Array, slots: Int32Array, limit: number): IdentityHit[] {
    const ranking = new Ranking(limit);
    for (const [ordinal, cosine] of cosines.entries()) {
      if (cosine === -Infinity || cosine < ranking.minCosine) continue;
      ranking.add(cosine, this.#identities.idOf(ordinal), slots[ordinal]!);
    }
    return ranking.ranked.map(({ cosine, id, slot }) => ({
      identityId: id,
      pointId: this.#ids[slot]!,
      cosine: clamped(cosine),
    }));
  }

  #identityOf(slot: number): number | null {
    const ordinal = this.#ordinals[slot]!;
    return ordinal === NO_IDENTITY ? null : this.#identities.idOf(ordinal);
  }

  #append(id: number): number {
    const slot = this.#ids.push(id) - 1;
    this.#ordinals.push(NO_IDENTITY);
    this.#fingerprints.push(NaN);
    this.#slotOf.set(id, slot);
    this.#sorted = null;
    return slot;
  }

  #assign(slot: number, identityId: number): void {
    const before = this.#ordinals[slot]!;
    this.#ordinals[slot] = Number.isNaN(identityId)
      ? NO_IDENTITY
      : this.#identities.acquire(identityId);
    if (before !== NO_IDENTITY) this.#identities.release(before);
  }

  #removeSlot(id: number, slot: number): void {
    this.#assign(slot, NaN);
    this.#slotOf.delete(id);
    this.#sorted = null;
    const last = this.size - 1;
    const lastId = this.#ids.pop()!;
    const lastOrdinal = this.#ordinals.pop()!;
    const lastFingerprint = this.#fingerprints.pop()!;
    if (slot === last) return;
    this.#rows.move(last, slot);
    this.#ids[slot] = lastId;
    this.#ordinals[slot] = lastOrdinal;
    this.#fingerprints[slot] = lastFingerprint;
    this.#slotOf.set(lastId, slot);
  }
}

function packHits(hits: readonly { readonly id: number; readonly cosine: number }[]): PackedHits {
  return {
    ids: Float64Array.from(hits, ({ id }) => id),
    cosines: Float64Array.from(hits, ({ cosine }) => cosine),
  };
}

/** Limits a cosine to the range from -1 to 1, which rounding can slightly exceed. */
function clamped(cosine: number): number {
  return Math.max(-1, Math.min(1, cosine));
}

/** The number of values that are at most `value`. The values must be in ascending order. */
function countUpTo(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
