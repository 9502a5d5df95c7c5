import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { VectorIndexState, VectorSpace } from '@sightline/core/vectors/vector-index';
import type { CollectionNames } from './collection-names.ts';
import type { CollectionSearches } from './collection-searches.ts';
import type { IndexCollections, Published } from './index-collections.ts';
import type { Limits } from './qdrant-connection.ts';

const INCOMPLETE = 'The vector index is being built; try again in a moment.';
/** An environment that does not exist: a search in it touches every shard and finds nothing. */
const NO_ENVIRONMENT = 0;

/** The published collections, and whether all of them exist. */
export class PublishedCollections {
  readonly #names: CollectionNames;
  readonly #collections: IndexCollections;
  readonly #searches: CollectionSearches;
  /** Whether the index was missing in the last check. */
  #wasMissing = false;

  constructor(names: CollectionNames, collections: IndexCollections, searches: CollectionSearches) {
    this.#names = names;
    this.#collections = collections;
    this.#searches = searches;
  }

  /**
   * Checks whether every collection answers a search. The status that Qdrant reports does not show this: after a
   * start it is `grey` until the first write.
   *
   * @throws VectorsUnavailable
   */
  async state(limits: Limits): Promise<VectorIndexState> {
    const published = await this.#collections.published(limits);
    const listed = await this.#listed(published, limits);
    if (listed === null) return 'incomplete';
    const answers = await Promise.all(
      [...listed].map((collection) => this.#answers(collection, published, limits)),
    );
    return answers.every(Boolean) ? 'ready' : 'incomplete';
  }

  /**
   * Whether the space was ever written.
   *
   * @throws VectorsUnavailable if the index is incomplete or has lost the space
   */
  async hasSpace(space: VectorSpace, limits: Limits): Promise<boolean> {
    const published = await this.#collections.published(limits);
    const listed = await this.#listed(published, limits);
    const { generation } = published;
    if (listed === null || generation === null) throw new VectorsUnavailable(INCOMPLETE);
    if (!listed.has(this.#names.collection({ space, generation }))) return false;
    if (published.aliases.has(this.#names.alias(space))) return true;
    if (await this.#isUnpublished(this.#names.collection({ space, generation }), limits)) {
      return false;
    }
    throw new VectorsUnavailable('The vector index has lost a collection and must be rebuilt.');
  }

  /**
   * If the index was missing in the last check, checks again.
   *
   * @throws VectorsUnavailable if it is still missing
   */
  async requireIndex(limits: () => Limits): Promise<void> {
    if (!this.#wasMissing) return;
    const within = limits();
    const listed = await this.#listed(await this.#collections.published(within), within);
    if (listed === null) throw new VectorsUnavailable(INCOMPLETE);
  }

  /**
   * Creates the collection of a space that was never written, or completes what a killed process began. It is
   * listed before anything is written to it, so that the loss of a written collection is noticed.
   *
   * @throws VectorsUnavailable if the index is incomplete or has lost the space
   */
  async createSpace(space: VectorSpace, limits: Limits): Promise<void> {
    if (await this.hasSpace(space, limits)) return;
    const { generation } = await this.#collections.published(limits);
    if (generation === null) throw new VectorsUnavailable(INCOMPLETE);
    const collection_name = this.#names.collection({ space, generation });
    await this.#collections.create(collection_name, space, limits);
    await this.#collections.list(generation, collection_name, limits);
    const alias = { collection_name, alias_name: this.#names.alias(space) };
    await this.#collections.switchAliases([{ create_alias: alias }], limits);
  }

  async #listed({ generation }: Published, limits: Limits): Promise<ReadonlySet<string> | null> {
    const listed = generation === null ? null : await this.#collections.listed(generation, limits);
    this.#wasMissing = listed === null;
    return listed;
  }

  /**
   * Whether the collection exists without an alias: a process is creating it, or was killed while creating it. It is
   * empty, because points are written through the alias, which is deleted only together with its collection.
   */
  async #isUnpublished(name: string, limits: Limits): Promise<boolean> {
    return (await this.#collections.names(limits)).includes(name);
  }

  async #answers(name: string, { aliases }: Published, limits: Limits): Promise<boolean> {
    const space = this.#names.parse(name)?.space;
    if (space === null || space === undefined) return false;
    const published = aliases.get(this.#names.alias(space));
    if (published === undefined) return this.#isUnpublished(name, limits);
    if (published !== name) return false;
    const vector = new Float32Array(space.dimension).fill(1 / Math.sqrt(space.dimension));
    const part = { name, space: { ...space, environmentId: NO_ENVIRONMENT } };
    const hits = await this.#searches.points(part, { vectors: [vector], limit: 1 }, limits);
    return hits !== null;
  }
}
