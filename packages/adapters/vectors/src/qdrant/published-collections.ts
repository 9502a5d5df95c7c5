import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { VectorIndexState, VectorSpace } from '@sightline/core/vectors/vector-index';
import type { CollectionNames } from './collection-names.ts';
import type { CollectionSearches } from './collection-searches.ts';
import type { IndexCollections, Published } from './index-collections.ts';
import type { Limits } from './qdrant-connection.ts';

const INCOMPLETE = 'The vector index is being built; try again in a moment.';
/** The id of an environment that does not exist. A search with this id reads every shard and finds nothing. */
const NO_ENVIRONMENT = 0;

/** Checks whether the published collections of the index exist. */
export class PublishedCollections {
  readonly #names: CollectionNames;
  readonly #collections: IndexCollections;
  readonly #searches: CollectionSearches;
  /** Whether the index did not exist at the last check. */
  #wasMissing = false;

  constructor(names: CollectionNames, collections: IndexCollections, searches: CollectionSearches) {
    this.#names = names;
    this.#collections = collections;
    this.#searches = searches;
  }

  /**
   * The state of the index, determined by a search in every collection. Qdrant's own status does not suffice, because
   * it stays `grey` after a start until the first write.
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
   * Whether points were ever written to the space.
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
   * Checks again whether the index exists, but only if it did not exist at the last check.
   *
   * @throws VectorsUnavailable if the index does not exist
   */
  async requireIndex(limits: () => Limits): Promise<void> {
    if (!this.#wasMissing) return;
    const within = limits();
    const listed = await this.#listed(await this.#collections.published(within), within);
    if (listed === null) throw new VectorsUnavailable(INCOMPLETE);
  }

  /**
   * Creates the collection of a space that was never written, or completes a creation that a crash interrupted. The
   * collection is listed before points are written to it, so that the loss of a written collection is noticed.
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
   * Whether the collection exists without an alias. In that case a process is creating the collection, or crashed while
   * creating it. The collection is empty, because points are written through the alias.
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
