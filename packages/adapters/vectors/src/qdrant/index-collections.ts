import { createHash } from 'node:crypto';
import type { CollectionNames, CollectionSpace } from './collection-names.ts';
import { ENVIRONMENT, IDENTITY } from './payload.ts';
import type { Limits, QdrantConnection } from './qdrant-connection.ts';

export interface IndexCollectionsOptions {
  readonly shards: number;
  readonly replicas: number;
}

/**
 * The maximum number of listed collections. An installation has fewer: three kinds for every face model that was ever
 * active.
 */
const MAX_SPACES = 10_000;

export interface Published {
  /** The generation that the aliases refer to; null while the index is incomplete. */
  readonly generation: string | null;
  /** The names of collections, by alias. */
  readonly aliases: ReadonlyMap<string, string>;
}

export class IndexCollections {
  readonly #connection: QdrantConnection;
  readonly #names: CollectionNames;
  readonly #options: IndexCollectionsOptions;

  constructor(
    connection: QdrantConnection,
    names: CollectionNames,
    options: IndexCollectionsOptions,
  ) {
    this.#connection = connection;
    this.#names = names;
    this.#options = options;
  }

  async published(limits: Limits): Promise<Published> {
    const answer = await this.#connection.request(
      (api, init) => api.getCollectionsAliases({}, init),
      limits,
    );
    const aliases = new Map<string, string>();
    for (const { alias_name: alias, collection_name: collection } of answer?.aliases ?? []) {
      if (this.#names.parse(collection) !== null) aliases.set(alias, collection);
    }
    const list = this.#names.parse(aliases.get(this.#names.complete) ?? '');
    return { generation: list?.generation ?? null, aliases };
  }

  /** The names of all existing collections of the installation, published or not. */
  async names(limits: Limits): Promise<readonly string[]> {
    const answer = await this.#connection.request(
      (api, init) => api.getCollections({}, init),
      limits,
    );
    const names = (answer?.collections ?? []).map(({ name }) => name);
    return names.filter((name) => this.#names.parse(name) !== null);
  }

  /** Creates the list of a generation; returns false if the list already existed. */
  async createList(generation: string, limits: Limits): Promise<boolean> {
    const { replicas } = this.#options;
    const created = await this.#connection.request(
      (api, init) =>
        api.createCollection(
          {
            collection_name: this.#names.collection({ space: null, generation }),
            // The list has points with payloads but no vectors.
            vectors: {},
            shard_number: 1,
            replication_factor: replicas,
            write_consistency_factor: 1,
          },
          init,
        ),
      limits,
    );
    return created !== null;
  }

  /** The names of all collections that were ever created in a generation; null if the generation does not exist. */
  async listed(generation: string, limits: Limits): Promise<ReadonlySet<string> | null> {
    const answer = await this.#connection.request(
      (api, init) =>
        api.scrollPoints(
          {
            collection_name: this.#names.collection({ space: null, generation }),
            limit: MAX_SPACES,
            with_payload: true,
          },
          init,
        ),
      limits,
    );
    if (answer === null) return null;
    return new Set(answer.points.map(({ payload }) => String(payload?.collection)));
  }

  /** Adds a collection to the list of its generation; returns false if the generation does not exist. */
  async list(generation: string, collection: string, limits: Limits): Promise<boolean> {
    const point = { id: uuidOf(collection), vector: {}, payload: { collection } };
    const listed = await this.#connection.request(
      (api, init) =>
        api.upsertPoints(
          {
            collection_name: this.#names.collection({ space: null, generation }),
            wait: true,
            points: [point],
          },
          init,
        ),
      limits,
    );
    return listed !== null;
  }

  /** Creates a collection for points, unless the collection exists. */
  async create(collection: string, { dimension }: CollectionSpace, limits: Limits): Promise<void> {
    const { shards, replicas } = this.#options;
    await this.#connection.request(
      (api, init) =>
        api.createCollection(
          {
            collection_name: collection,
            // For unit vectors the dot product is the cosine. With `Cosine`, the server would normalize them again.
            // oxlint-disable-next-line typescript/no-deprecated -- older servers do not know its successor
            vectors: { size: dimension, distance: 'Dot', on_disk: true },
            quantization_config: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } },
            // No graph, because a graph misses people in large galleries.
            hnsw_config: { m: 0 },
            shard_number: shards,
            replication_factor: replicas,
            write_consistency_factor: 1,
          },
          init,
        ),
      limits,
    );
    await this.#index(collection, limits);
  }

  /** Switches all aliases at once; returns false if a collection does not exist. */
  async switchAliases(actions: readonly AliasAction[], limits: Limits): Promise<boolean> {
    const switched = await this.#connection.request(
      (api, init) => api.updateAliases({ actions: [...actions] }, init),
      limits,
    );
    return switched !== null;
  }

  async remove(collections: readonly string[], limits: Limits): Promise<void> {
    for (const collection_name of collections) {
      await this.#connection.request(
        (api, init) => api.deleteCollection({ collection_name }, init),
        limits,
      );
    }
  }

  async #index(collection_name: string, limits: Limits): Promise<void> {
    const environment = { type: 'keyword', is_tenant: true } as const;
    // Searches only compare the identity with exact values.
    const identity = { type: 'integer', lookup: true, range: false } as const;
    const fields = [
      { field_name: ENVIRONMENT, field_schema: environment },
      { field_name: IDENTITY, field_schema: identity },
    ];
    for (const field of fields) {
      await this.#connection.request(
        (api, init) => api.createFieldIndex({ collection_name, wait: true, ...field }, init),
        limits,
      );
    }
  }
}

export type AliasAction =
  | { readonly create_alias: { readonly collection_name: string; readonly alias_name: string } }
  | { readonly delete_alias: { readonly alias_name: string } };

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${groups.join('-')}-${hex.slice(20, 32)}`;
}
