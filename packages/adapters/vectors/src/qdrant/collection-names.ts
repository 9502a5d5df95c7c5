import type { VectorKind, VectorSpace } from '@sightline/core/vectors/vector-index';

/** The vectors that share a collection: one model and one kind, of all environments. */
export type CollectionSpace = Omit<VectorSpace, 'environmentId'>;

export interface CollectionName {
  /** Null for the collection that lists the others of its generation. */
  readonly space: CollectionSpace | null;
  readonly generation: string;
}

const KINDS: readonly VectorKind[] = ['faces', 'references', 'means'];
const LIST = 'index';

/**
 * The collection names of one installation on a server. A collection's name consists of its space
 * and its generation, which identifies the draft that created it. Its alias is named after the
 * space alone.
 */
export class CollectionNames {
  readonly #prefix: string;
  readonly #pattern: RegExp;

  /**
   * @param installation UUID
   * @throws RangeError if it is not a UUID
   */
  constructor(installation: string) {
    // The last group, because the first groups of some UUIDs contain the time.
    const short = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-([0-9a-f]{12})$/i.exec(installation)?.[1];
    if (short === undefined) throw new RangeError(`${installation} is not a UUID.`);
    this.#prefix = `sightline-${short.toLowerCase()}`;
    const space = `(${KINDS.join('|')})-(\\d+)-(\\d+)`;
    this.#pattern = new RegExp(`^${this.#prefix}-(?:${LIST}|${space})-([0-9a-f]{8})$`);
  }

  /** Alias of the list; it exists while the index is complete. */
  get complete(): string {
    return `${this.#prefix}-${LIST}`;
  }

  alias({ kind, modelId, dimension }: CollectionSpace): string {
    return `${this.#prefix}-${kind}-${modelId}-${dimension}`;
  }

  /** The alias that a collection gets when it is published. */
  aliasOf(collection: string): string {
    return collection.slice(0, collection.lastIndexOf('-'));
  }

  collection({ space, generation }: CollectionName): string {
    return `${space === null ? this.complete : this.alias(space)}-${generation}`;
  }

  /** Null for a collection that is not one of this installation. */
  parse(collection: string): CollectionName | null {
    const found = this.#pattern.exec(collection);
    if (found === null) return null;
    const [, kind, modelId, dimension, generation] = found;
    const space = {
      kind: kind as VectorKind,
      modelId: Number(modelId),
      dimension: Number(dimension),
    };
    return { space: kind === undefined ? null : space, generation: generation! };
  }
}
