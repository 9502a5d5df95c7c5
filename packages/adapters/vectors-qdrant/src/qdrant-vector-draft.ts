import type {
  VectorIndexDraft,
  VectorPoint,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { Logger } from '@sightline/platform/logging/logger';
import { requireVectors } from './check-vectors.ts';
import type { CollectionNames } from './collection-names.ts';
import type { CollectionPoints } from './collection-points.ts';
import type { AliasAction, IndexCollections } from './index-collections.ts';
import type { Limits, QdrantConnection } from './qdrant-connection.ts';

export interface QdrantVectorDraftDeps {
  readonly connection: QdrantConnection;
  readonly names: CollectionNames;
  readonly collections: IndexCollections;
  readonly points: CollectionPoints;
  readonly logger: Logger;
  readonly generation: string;
}

/**
 * Collections of a generation that no alias names yet. Whoever begins another draft removes them: the
 * list of the generation is not there any more then, which is how this one learns of it.
 */
export class QdrantVectorDraft implements VectorIndexDraft {
  readonly #deps: QdrantVectorDraftDeps;
  /** By name; those that are made, or being made. */
  readonly #made = new Map<string, Promise<void>>();
  #state: 'open' | 'published' | 'given up' = 'open';

  constructor(deps: QdrantVectorDraftDeps) {
    this.#deps = deps;
  }

  async upsert(
    space: VectorSpace,
    points: readonly VectorPoint[],
    signal?: AbortSignal,
  ): Promise<void> {
    requireVectors(
      space,
      points.map(({ vector }) => vector),
    );
    this.#requireOpen(signal);
    const { connection } = this.#deps;
    const name = await this.#make(space, connection.limits('change', signal));
    const limits = () => connection.limits('write', signal);
    const written = await this.#deps.points.upsert({ name, space }, points, limits);
    if (!written) throw this.#gone();
  }

  async remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void> {
    this.#requireOpen(signal);
    const { connection, names, generation, points } = this.#deps;
    const name = names.collection({ space, generation });
    if (!this.#made.has(name)) return;
    const limits = () => connection.limits('write', signal);
    if (!(await points.remove({ name, space }, ids, limits))) throw this.#gone();
  }

  /**
   * The server writes its aliases one after the other, although it shows them all at once: the one
   * that says that the index is complete is taken away first and comes back last, so that a server
   * that dies in between is incomplete.
   */
  async publish(signal?: AbortSignal): Promise<void> {
    this.#requireOpen(signal);
    const { connection, collections, generation, names } = this.#deps;
    const limits = connection.limits('change', signal);
    if ((await collections.listed(generation, limits)) === null) throw this.#gone();
    const { aliases } = await collections.published(limits);
    const complete = { alias_name: names.complete };
    const list = names.collection({ space: null, generation });
    const actions: AliasAction[] = [
      { delete_alias: complete },
      ...[...aliases.keys()]
        .filter((alias) => alias !== names.complete)
        .map((alias_name) => ({ delete_alias: { alias_name } })),
      ...[...this.#made.keys()].map((collection_name) => ({
        create_alias: { collection_name, alias_name: names.aliasOf(collection_name) },
      })),
      { create_alias: { ...complete, collection_name: list } },
    ];
    if (!(await collections.switchAliases(actions, limits))) throw this.#gone();
    this.#state = 'published';
    await this.#removeAllBut(generation);
  }

  async discard(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'given up';
    const { connection, collections, generation, logger, names } = this.#deps;
    const limits = connection.limits('change');
    try {
      const published = await collections.published(limits);
      // The answer to a publication may have been lost.
      if (published.generation === generation) return;
      const all = await collections.names(limits);
      const own = all.filter((name) => names.parse(name)?.generation === generation);
      await collections.remove(own, limits);
    } catch (error) {
      logger.warn({ err: error }, 'a draft of the index of faces stays until the next one begins');
    }
  }

  async #make(space: VectorSpace, limits: Limits): Promise<string> {
    const { names, generation } = this.#deps;
    const name = names.collection({ space, generation });
    const making = this.#made.get(name) ?? this.#makeNow(name, space, limits);
    this.#made.set(name, making);
    try {
      await making;
    } catch (error) {
      this.#made.delete(name);
      throw error;
    }
    return name;
  }

  async #makeNow(name: string, space: VectorSpace, limits: Limits): Promise<void> {
    const { collections, generation } = this.#deps;
    // Listed first: a draft that was given up makes no collection that nobody would remove.
    if (!(await collections.list(generation, name, limits))) throw this.#gone();
    await collections.make(name, space, limits);
  }

  /** What answered until now; what cannot be removed is when the next draft begins. */
  async #removeAllBut(generation: string): Promise<void> {
    const { connection, collections, logger, names } = this.#deps;
    try {
      const limits = connection.limits('change');
      const all = await collections.names(limits);
      const former = all.filter((name) => names.parse(name)?.generation !== generation);
      await collections.remove(former, limits);
    } catch (error) {
      logger.warn({ err: error }, 'the former index of faces stays until the next draft begins');
    }
  }

  #requireOpen(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#state !== 'open') throw this.#gone();
  }

  #gone(): VectorsUnavailable {
    if (this.#state === 'open') this.#state = 'given up';
    return new VectorsUnavailable(`This draft of the index of vectors is ${this.#state}.`);
  }
}
