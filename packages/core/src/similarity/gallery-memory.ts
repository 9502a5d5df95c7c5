import type { Database } from '../database/database.ts';
import { calibrateSimilarity } from '../matching/calibrate-similarity.ts';
import type { GalleryVector } from '../matching/rank-candidates.ts';
import { isComparable } from '../vectors/is-comparable.ts';
import type { OpenFaceVectors } from './open-face-vectors.ts';
import { findSuggestible, keepHighest, type SuggestIn } from './suggest-identities.ts';

export interface GalleryMemoryDeps {
  readonly database: Database;
  /** Holds references or means, apart from the open faces. */
  readonly gallery: OpenFaceVectors;
}

interface LoadedVector extends GalleryVector {
  /** The id of a reference; for means, the id of the identity. */
  readonly id: number;
}

/** References, or means, of a space in memory, with which open faces are compared. */
export class GalleryMemory {
  readonly #deps: GalleryMemoryDeps;
  readonly #in: SuggestIn;
  /** The identities of the vectors in memory. */
  readonly #identities = new Map<number, number>();

  constructor(deps: GalleryMemoryDeps, suggestIn: SuggestIn) {
    this.#deps = deps;
    this.#in = suggestIn;
  }

  get bytes(): number {
    return this.#identities.size * this.#in.space.dimension * Float32Array.BYTES_PER_ELEMENT;
  }

  hasAnyOf(identities: readonly number[]): boolean {
    if (identities.length === 0) return false;
    const present = new Set(this.#identities.values());
    return identities.some((id) => present.has(id));
  }

  /** Removes all vectors. @throws VectorsUnavailable */
  async clear(): Promise<void> {
    this.#identities.clear();
    await this.#deps.gallery.forget(this.#in.space);
  }

  /** Adds the vectors of these references, or means. @throws StoreUnavailable, VectorsUnavailable */
  async load(ids: readonly number[]): Promise<void> {
    const vectors = await readGalleryVectors(this.#deps, this.#in, ids);
    for (const { id, identityId } of vectors) this.#identities.set(id, identityId);
    await this.#deps.gallery.upsert(
      this.#in.space,
      vectors.map(({ id, vector }) => ({ id, vector, isStranger: false })),
    );
  }

  /**
   * Finds the identities that may be suggested for each of the faces, with their similarities.
   *
   * @throws VectorsUnavailable
   */
  async similarities(faces: readonly Float32Array[]): Promise<readonly Map<number, number>[]> {
    const { space } = this.#in;
    const near = await findSuggestible(this.#deps.gallery, space, faces);
    return near.map(({ ids, cosines }) => {
      const similarities = new Map<number, number>();
      for (const [at, id] of ids.entries()) {
        const similarity = calibrateSimilarity(cosines[at]!, space.similarityCalibration);
        keepHighest(similarities, this.#identities.get(id)!, similarity);
      }
      return similarities;
    });
  }
}

/** Reads the vectors that the strategy compares, without those that cannot be compared. @throws StoreUnavailable */
export async function readGalleryVectors(
  { database }: Pick<GalleryMemoryDeps, 'database'>,
  { space, strategy }: SuggestIn,
  ids: readonly number[],
): Promise<readonly LoadedVector[]> {
  const { environmentId, modelId, dimension } = space;
  if (ids.length === 0) return [];
  const vectors = await database.withScope({ environmentId }, async ({ gallery }) =>
    strategy === 'average'
      ? (await gallery.means(modelId, ids)).map((mean) => ({ ...mean, id: mean.identityId }))
      : gallery.references(modelId, ids),
  );
  return vectors.filter((one) => isComparable(one, dimension));
}
