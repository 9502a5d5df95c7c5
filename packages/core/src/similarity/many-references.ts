import type { OpenFaceSource, PendingChange } from '../groups/followed-faces.ts';
import type { Candidate } from '../identities/candidate.ts';
import { calibrateSimilarity, leastCosine } from '../matching/calibrate-similarity.ts';
import { LEAST_SUGGESTION } from '../matching/decide-face.ts';
import type { OpenFaceVectors } from './open-face-vectors.ts';
import type { DueSpace } from './similarity-queue.ts';
import { isComparable } from './is-comparable.ts';
import { addSuggestions, type Found, keepHighest, type SuggestDeps } from './suggest-identities.ts';

/** The most references that are compared with the open faces at once; their vectors are in memory meanwhile. */
const MOST = 16_384;
/** The number of open faces that one turn compares. */
const FACES = 400;
/** The number of references whose vectors are read at once. */
const PAGE = 1000;

export interface ManyReferencesDeps extends SuggestDeps {
  readonly source: OpenFaceSource;
  /** Holds the new references, apart from the open faces. */
  readonly gallery: OpenFaceVectors;
}

/**
 * Many new references of a space. If each one were compared with all open faces by itself, the suggestions of a face would
 * be stored many times. So all of them are compared with a page of the faces in each turn.
 */
export class ManyReferences {
  readonly #deps: ManyReferencesDeps;
  readonly #space: DueSpace;
  /** The changes that are done after the last page. */
  readonly changes: readonly PendingChange[];
  readonly #identities = new Map<number, number>();
  #after = 0;
  #isLoaded = false;
  #isDone = false;

  constructor(deps: ManyReferencesDeps, space: DueSpace, changes: readonly PendingChange[]) {
    this.#deps = deps;
    this.#space = space;
    this.changes = changes;
  }

  /** Takes the references whose changes are pending. */
  static async begin(deps: ManyReferencesDeps, space: DueSpace): Promise<ManyReferences> {
    const { environmentId, modelId } = space;
    const { references } = await deps.database.withScope({ environmentId }, ({ followed }) =>
      followed.pending(modelId, { limit: MOST, restMs: 0 }),
    );
    return new ManyReferences(deps, space, references);
  }

  /** The memory of the vectors. */
  get bytes(): number {
    return this.#identities.size * this.#space.dimension * Float32Array.BYTES_PER_ELEMENT;
  }

  /** Whether all open faces have been compared. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /**
   * Compares a page of the open faces.
   *
   * @param losers identities that lost a reference; the references are read again if some belonged to these
   * @returns the faces whose suggestions change
   * @throws StoreUnavailable, VectorsUnavailable
   */
  async next(losers: readonly number[]): Promise<Map<number, readonly Candidate[]>> {
    const people = new Set(this.#identities.values());
    if (!this.#isLoaded || losers.some((id) => people.has(id))) await this.#load();
    const space = this.#space;
    const { source, gallery } = this.#deps;
    const page = await source.page(space, { after: this.#after, limit: FACES });
    const faces = page.filter((face) => isComparable(face, space.dimension));
    const { similarityCalibration: knots } = space;
    const near = await gallery.above(
      space,
      faces.map(({ vector }) => vector),
      leastCosine(LEAST_SUGGESTION, knots),
    );
    const found: Found = new Map();
    for (const [index, { id }] of faces.entries()) {
      const { ids, cosines } = near[index]!;
      const similarities = new Map<number, number>();
      for (const [at, reference] of ids.entries()) {
        const similarity = calibrateSimilarity(cosines[at]!, knots);
        keepHighest(similarities, this.#identities.get(reference)!, similarity);
      }
      if (similarities.size > 0) found.set(id, similarities);
    }
    this.#after = page.at(-1)?.id ?? this.#after;
    this.#isDone = page.length < FACES;
    if (this.#isDone) await gallery.forget(space);
    return addSuggestions(this.#deps, { space, strategy: 'best_match' }, found);
  }

  async #load(): Promise<void> {
    const { environmentId, modelId, dimension } = this.#space;
    const ids = [...new Set(this.changes.map(({ entityId }) => entityId))];
    await this.#deps.gallery.forget(this.#space);
    this.#identities.clear();
    for (let start = 0; start < ids.length; start += PAGE) {
      const references = await this.#deps.database.withScope({ environmentId }, ({ gallery }) =>
        gallery.references(modelId, ids.slice(start, start + PAGE)),
      );
      const comparable = references.filter((one) => isComparable(one, dimension));
      for (const { id, identityId } of comparable) this.#identities.set(id, identityId);
      await this.#deps.gallery.upsert(
        this.#space,
        comparable.map(({ id, vector }) => ({ id, vector, isStranger: false })),
      );
    }
    this.#isLoaded = true;
  }
}
