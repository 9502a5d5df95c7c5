import type { VectorIndex, VectorPoint, VectorSpace } from '@sightline/core/vectors/vector-index';
import { someSpace } from './sample-vectors.ts';

export interface VectorIndexTraits {
  /** The largest allowed difference between a returned cosine and that of the float32 vectors. */
  readonly tolerance: number;
}

export type OpenTried = () => TriedIndex;

/** An index, and a space that only this test uses. */
export class TriedIndex {
  readonly index: VectorIndex;
  readonly space: VectorSpace;
  readonly #traits: VectorIndexTraits;

  constructor(index: VectorIndex, traits: VectorIndexTraits) {
    this.index = index;
    this.#traits = traits;
    this.space = someSpace();
  }

  get tolerance(): number {
    return this.#traits.tolerance;
  }

  async upsert(points: readonly VectorPoint[], space = this.space): Promise<void> {
    await this.index.upsert(space, points);
  }

  async remove(...ids: number[]): Promise<void> {
    await this.index.remove(this.space, ids);
  }

  async dropEnvironment(): Promise<void> {
    await this.index.dropEnvironment(this.space.environmentId);
  }

  async points(vector: Float32Array, limit = 10, space = this.space) {
    const [hits] = await this.index.searchPoints(space, { vectors: [vector], limit });
    return hits!;
  }

  async identities(vector: Float32Array, limit = 10, space = this.space) {
    const [hits] = await this.index.searchIdentities(space, { vectors: [vector], limit });
    return hits!;
  }

  async ids(): Promise<number[]> {
    const found = await this.index.list(this.space, { after: 0, limit: 1000 });
    return found.map(({ id }) => id);
  }
}
