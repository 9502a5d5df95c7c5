import type { GalleryReference } from '../references/gallery-store.ts';

/** The most references in the cache: twice the longest tail that matching scans. */
const CAPACITY = 10_000;

/**
 * Caches, between requests, the references that the index may not have yet (the tail). The vector of a reference
 * never changes. Its identity may change, so callers must use the identity that they have just read with the tail,
 * not the cached one.
 */
export class TailCache {
  readonly #capacity: number;
  /** References by id, the least recently used first. */
  readonly #references = new Map<number, GalleryReference>();

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** Returns the existing references with these ids. `load` reads those that are not cached. */
  async read(
    ids: readonly number[],
    load: (missing: readonly number[]) => Promise<readonly GalleryReference[]>,
  ): Promise<readonly GalleryReference[]> {
    const kept = ids.flatMap((id) => this.#references.get(id) ?? []);
    const missing = ids.filter((id) => !this.#references.has(id));
    const loaded = missing.length > 0 ? await load(missing) : [];
    const references = [...kept, ...loaded];
    for (const reference of references) {
      this.#references.delete(reference.id);
      this.#references.set(reference.id, reference);
    }
    this.#shrink();
    return references;
  }

  #shrink(): void {
    for (const id of this.#references.keys()) {
      if (this.#references.size <= this.#capacity) return;
      this.#references.delete(id);
    }
  }
}
