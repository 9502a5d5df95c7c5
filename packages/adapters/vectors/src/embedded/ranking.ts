interface Ranked {
  readonly cosine: number;
  readonly id: number;
  readonly slot: number;
}

/** Keeps the best `limit` entries, by descending cosine. Entries with equal cosines are ordered by id. */
export class Ranking {
  readonly #limit: number;
  readonly #ranked: Ranked[] = [];
  minCosine = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get ranked(): readonly Ranked[] {
    return this.#ranked;
  }

  add(cosine: number, id: number, slot: number): void {
    if (!(cosine >= this.minCosine)) return;
    const ranked = this.#ranked;
    ranked.splice(this.#indexOf(cosine, id), 0, { cosine, id, slot });
    if (ranked.length > this.#limit) ranked.pop();
    if (ranked.length === this.#limit) this.minCosine = ranked[this.#limit - 1]!.cosine;
  }

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
