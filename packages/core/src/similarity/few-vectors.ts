import type { PendingChange } from '../groups/followed-faces.ts';
import { calibrateSimilarity } from '../matching/calibrate-similarity.ts';
import { readGalleryVectors } from './gallery-memory.ts';
import { type LoadDeps, loadSpace } from './load-space.ts';
import type { ComparedPart, NewVectors } from './new-vectors.ts';
import {
  addSuggestions,
  findSuggestible,
  type Found,
  keepHighest,
  type SuggestIn,
} from './suggest-identities.ts';

/** The most vectors that are compared at once. */
const AT_ONCE = 8;
/** The memory of a similarity, in bytes; measured with one for each face. */
const SIMILARITY_BYTES = 240;
/** With this many similarities, no more vectors are compared before they are stored, so that they fit into memory. */
const ENOUGH = 200_000;

/**
 * A few new references, or means that changed. They are compared with all open faces in memory by one search; the faces
 * that are similar are stored some at a time.
 */
export class FewVectors implements NewVectors {
  readonly #deps: LoadDeps;
  readonly #in: SuggestIn;
  #changes: readonly PendingChange[];
  /** The identities of the vectors. */
  readonly #identities = new Set<number>();
  /** The faces that remain, in ascending order; null before the search, and after another space needed the memory. */
  #found: Found | null = null;
  #similarities = 0;
  /** The last face that was stored. */
  #after = 0;

  constructor(deps: LoadDeps, suggestIn: SuggestIn, changes: readonly PendingChange[]) {
    this.#deps = deps;
    this.#in = suggestIn;
    this.#changes = changes;
  }

  get changes(): readonly PendingChange[] {
    return this.#changes;
  }

  get bytes(): number {
    return this.#found === null ? 0 : this.#similarities * SIMILARITY_BYTES;
  }

  get isDone(): boolean {
    return this.#found?.size === 0;
  }

  async next({ memory, losers, changed, most }: ComparedPart) {
    const isOutdated = losers.some((id) => this.#identities.has(id));
    if (isOutdated) this.#after = 0;
    const found = this.#found === null || isOutdated ? await this.#search(memory) : this.#found;
    this.#found = found;
    for (const face of changed) found.delete(face);
    const part: Found = new Map();
    for (const [face, similarities] of found) {
      if (part.size === most) break;
      part.set(face, similarities);
      found.delete(face);
      this.#after = face;
    }
    return addSuggestions(this.#deps, this.#in, part);
  }

  release(): Promise<void> {
    if (!this.isDone) this.#found = null;
    return Promise.resolve();
  }

  async #search(memory: ComparedPart['memory']): Promise<Found> {
    const { space } = this.#in;
    await loadSpace(this.#deps, { space, memory });
    const ids = [...new Set(this.#changes.map(({ entityId }) => entityId))];
    const found: Found = new Map();
    let similarities = 0;
    let end = 0;
    while (end < ids.length && similarities < ENOUGH) {
      // A vector may be similar to each face, so the first ones show how many vectors have room.
      const room = Math.floor(((ENOUGH - similarities) * end) / Math.max(1, similarities));
      const some = ids.slice(end, end + Math.min(AT_ONCE, Math.max(1, room)));
      similarities += await this.#compare(some, found);
      end += some.length;
    }
    this.#similarities = similarities;
    const compared = new Set(ids.slice(0, end));
    this.#changes = this.#changes.filter(({ entityId }) => compared.has(entityId));
    const remaining = [...found].filter(([face]) => face > this.#after);
    return new Map(remaining.sort(([a], [b]) => a - b));
  }

  /** Returns the number of similarities. */
  async #compare(ids: readonly number[], found: Found): Promise<number> {
    const { openFaces } = this.#deps;
    const { space } = this.#in;
    const vectors = await readGalleryVectors(this.#deps, this.#in, ids);
    const near = await findSuggestible(
      openFaces,
      space,
      vectors.map(({ vector }) => vector),
    );
    for (const [index, { identityId }] of vectors.entries()) {
      this.#identities.add(identityId);
      const { ids: faces, cosines } = near[index]!;
      for (const [at, face] of faces.entries()) {
        const similarities = found.get(face) ?? new Map<number, number>();
        found.set(face, similarities);
        const similarity = calibrateSimilarity(cosines[at]!, space.similarityCalibration);
        keepHighest(similarities, identityId, similarity);
      }
    }
    return near.reduce((sum, { ids: faces }) => sum + faces.length, 0);
  }
}
