import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { VectorIndexState, VectorSpace } from '@sightline/core/vectors/vector-index';
import type { CollectionNames } from './collection-names.ts';
import type { CollectionSearches } from './collection-searches.ts';
import type { IndexCollections, Published } from './index-collections.ts';
import type { Limits } from './qdrant-connection.ts';

const INCOMPLETE = 'The index of faces is being built; try again in a moment.';
/** An environment that nobody has: a search that looks everywhere and finds nothing. */
const NOBODY = 0;

/** What the published collections are, and whether all of them are there. */
export class PublishedCollections {
  readonly #names: CollectionNames;
  readonly #collections: IndexCollections;
  readonly #searches: CollectionSearches;
  /** Whether the index was not there when somebody looked last. */
  #wasMissing = false;

  constructor(names: CollectionNames, collections: IndexCollections, searches: CollectionSearches) {
    this.#names = names;
    this.#collections = collections;
    this.#searches = searches;
  }

  /**
   * Whether every collection answers a search: the status that the server gives itself says other
   * things (after a start it is grey until somebody writes).
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
   * @throws VectorsUnavailable if the index is incomplete, or is found to have lost the space
   */
  async hasSpace(space: VectorSpace, limits: Limits): Promise<boolean> {
    const published = await this.#collections.published(limits);
    const listed = await this.#listed(published, limits);
    const { generation } = published;
    if (listed === null || generation === null) throw new VectorsUnavailable(INCOMPLETE);
    if (!listed.has(this.#names.collection({ space, generation }))) return false;
    if (published.aliases.has(this.#names.alias(space))) return true;
    throw new VectorsUnavailable('The index of faces has lost a part, and is to be built anew.');
  }

  /**
   * Looks again whether the index is there, if it was not when somebody looked last.
   *
   * @throws VectorsUnavailable if it is not
   */
  async requireNotMissing(limits: () => Limits): Promise<void> {
    if (!this.#wasMissing) return;
    const within = limits();
    const listed = await this.#listed(await this.#collections.published(within), within);
    if (listed === null) throw new VectorsUnavailable(INCOMPLETE);
  }

  /**
   * Makes the collection of a space that was never written. It is listed before anything can be
   * written to it, so that one that was written to is missed when it is lost.
   *
   * @throws VectorsUnavailable if the index is incomplete, or has lost the space
   */
  async makeSpace(space: VectorSpace, limits: Limits): Promise<void> {
    if (await this.hasSpace(space, limits)) return;
    const { generation } = await this.#collections.published(limits);
    if (generation === null) throw new VectorsUnavailable(INCOMPLETE);
    const collection_name = this.#names.collection({ space, generation });
    await this.#collections.make(collection_name, space, limits);
    await this.#collections.list(generation, collection_name, limits);
    const alias = { collection_name, alias_name: this.#names.alias(space) };
    await this.#collections.switchAliases([{ create_alias: alias }], limits);
  }

  async #listed({ generation }: Published, limits: Limits): Promise<ReadonlySet<string> | null> {
    const listed = generation === null ? null : await this.#collections.listed(generation, limits);
    this.#wasMissing = listed === null;
    return listed;
  }

  async #answers(name: string, { aliases }: Published, limits: Limits): Promise<boolean> {
    const space = this.#names.parse(name)?.space;
    if (space === null || space === undefined) return false;
    if (aliases.get(this.#names.alias(space)) !== name) return false;
    const vector = new Float32Array(space.dimension).fill(1 / Math.sqrt(space.dimension));
    const part = { name, space: { ...space, environmentId: NOBODY } };
    const hits = await this.#searches.points(part, { vectors: [vector], limit: 1 }, limits);
    return hits !== null;
  }
}
