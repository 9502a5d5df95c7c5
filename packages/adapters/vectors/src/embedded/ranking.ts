interface Ranked {
  readonly cosine: number;
  readonly id: number;
  readonly slot: number;
}

/** The best `limit` of all entries so far, by descending cosine, ties by id. */
export class Ranking {
  readonly #limit: number;
  readonly #ranked: Ranked[] = [];
  /** An entry below this cosine is rejected. */
  minCosine = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get ranked(): readonly Ranked[] {
    return this.#ranked;
  }

  offer(cosine: number, id: number, slot: number): void {
    if (!(cosine >= this.minCosine)) return;
    const ranked = this.#ranked;
    ranked.splice(this.#indexOf(cosine, id), 0, { cosine, id, slot });
    if (ranked.length > this.#limit) ranked.pop();
    if (ranked.length === this.#limit) this.minCosine = ranked[this.#limit - 1]!.cosine;
  }

  /** Number of ranked entries that come before. */
  #indexOf(cosine: number, id: number): number {
    let low = 0;
    let high = this.#ranked.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#ranked[middle]!;
      const before = other.cosine > cosine || (other.cosine === cosine && other.id < id);
      if (before) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
