import type { OpenFaceSource, PendingChange } from '../groups/followed-faces.ts';
import type { Candidate } from '../identities/candidate.ts';
import { GalleryMemory, type GalleryMemoryDeps } from './gallery-memory.ts';
import { isComparable } from '../vectors/is-comparable.ts';
import type { ComparedPart, NewVectors } from './new-vectors.ts';
import { PAGE } from './pages.ts';
import type { DueSpace } from './similarity-queue.ts';
import { addSuggestions, type Found } from './suggest-identities.ts';

/** The most references that are compared at once; their vectors are in memory until all open faces have been compared, or another space needs the memory. */
const MOST = 16_384;

export interface ManyReferencesDeps extends GalleryMemoryDeps {
  readonly source: OpenFaceSource;
}

/**
 * Many new references of a space. If each one were compared with all open faces by itself, the suggestions of a face would
 * be stored many times. So all of them are compared with a page of the faces in each turn.
 */
export class ManyReferences implements NewVectors {
  readonly #deps: ManyReferencesDeps;
  readonly #space: DueSpace;
  readonly #gallery: GalleryMemory;
  /** The changes that are done after the last page. */
  readonly changes: readonly PendingChange[];
  #after = 0;
  #isDone = false;
  #isLoaded = false;

  private constructor(
    deps: ManyReferencesDeps,
    space: DueSpace,
    changes: readonly PendingChange[],
  ) {
    this.#deps = deps;
    this.#space = space;
    this.#gallery = new GalleryMemory(deps, { space, strategy: 'best_match' });
    this.changes = changes;
  }

  /** Takes the references whose changes are pending. @throws StoreUnavailable */
  static async begin(deps: ManyReferencesDeps, space: DueSpace): Promise<ManyReferences> {
    const { environmentId, modelId } = space;
    const { references } = await deps.database.withScope({ environmentId }, ({ followed }) =>
      followed.pending(modelId, { limit: MOST, restMs: 0 }),
    );
    return new ManyReferences(deps, space, references);
  }

  get bytes(): number {
    return this.#gallery.bytes;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  async next({ losers, most }: ComparedPart): Promise<Map<number, readonly Candidate[]>> {
    if (!this.#isLoaded || this.#gallery.hasAnyOf(losers)) await this.#load();
    const space = this.#space;
    const page = await this.#deps.source.page(space, { after: this.#after, limit: most });
    const faces = page.filter((face) => isComparable(face, space.dimension));
    const similarities = await this.#gallery.similarities(faces.map(({ vector }) => vector));
    const all = faces.map(({ id }, at) => [id, similarities[at]!] as const);
    const found: Found = new Map(all.filter(([, { size }]) => size > 0));
    this.#after = page.at(-1)?.id ?? this.#after;
    this.#isDone = page.length < most;
    if (this.#isDone) await this.release();
    return addSuggestions(this.#deps, { space, strategy: 'best_match' }, found);
  }

  async release(): Promise<void> {
    this.#isLoaded = false;
    await this.#gallery.clear();
  }

  async #load(): Promise<void> {
    const ids = [...new Set(this.changes.map(({ entityId }) => entityId))];
    await this.#gallery.clear();
    for (let start = 0; start < ids.length; start += PAGE) {
      await this.#gallery.load(ids.slice(start, start + PAGE));
    }
    this.#isLoaded = true;
  }
}
