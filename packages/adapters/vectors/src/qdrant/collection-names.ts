import type { VectorKind, VectorSpace } from '@sightline/core/vectors/vector-index';

/** The vectors that share a collection: one kind for one model, from all environments. */
export type CollectionSpace = Omit<VectorSpace, 'environmentId'>;

export interface CollectionName {
  /** Null for the collection that lists all collections of its generation. */
  readonly space: CollectionSpace | null;
  readonly generation: string;
}

const KINDS: readonly VectorKind[] = ['faces', 'references', 'means'];
const LIST = 'index';

/**
 * The names of one installation's collections on a server that several installations may share. A name consists of the
 * space and the generation, an id of the draft that created the collection. The name of an alias has only the space.
 */
export class CollectionNames {
  readonly #prefix: string;
  readonly #pattern: RegExp;

  /**
   * @param installation the UUID of the installation
   * @throws RangeError if `installation` is not a UUID
   */
  constructor(installation: string) {
    // The last group is used, because the first groups of some UUIDs contain the time.
    const short = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-([0-9a-f]{12})$/i.exec(installation)?.[1];
    if (short === undefined) throw new RangeError(`${installation} is not a UUID.`);
    this.#prefix = `sightline-${short.toLowerCase()}`;
    const space = `(${KINDS.join('|')})-(\\d+)-(\\d+)`;
    this.#pattern = new RegExp(`^${this.#prefix}-(?:${LIST}|${space})-([0-9a-f]{8})$`);
  }

  /** The alias of the list of collections. It exists only while the index is complete. */
  get complete(): string {
    return `${this.#prefix}-${LIST}`;
  }

  alias({ kind, modelId, dimension }: CollectionSpace): string {
    return `${this.#prefix}-${kind}-${modelId}-${dimension}`;
  }

  /** The alias that a collection gets when its generation is published. */
  aliasOf(collection: string): string {
    return collection.slice(0, collection.lastIndexOf('-'));
  }

  collection({ space, generation }: CollectionName): string {
    return `${space === null ? this.complete : this.alias(space)}-${generation}`;
  }

  /** Parses a collection name; null if the collection does not belong to this installation. */
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
