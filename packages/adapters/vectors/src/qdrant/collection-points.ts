import type { IndexedEntry, VectorPoint, VectorSpace } from '@sightline/core/vectors/vector-index';
import {
  ENVIRONMENT,
  FINGERPRINT,
  fingerprintOf,
  identityOf,
  IDENTITY,
  ofEnvironment,
} from './payload.ts';
import { entityId, pointId } from './point-ids.ts';
import type { Limits, QdrantConnection } from './qdrant-connection.ts';

/** The maximum size of a request. Qdrant accepts 32 MiB, but serializing that much would block this process. */
const MAX_BYTES = 4 * 2 ** 20;
const BYTES_PER_VALUE = 22;
const BYTES_PER_POINT = 200;
const MAX_IDS = 10_000;

/** The points of one environment in a collection. `name` is the name of the collection or of its alias. */
export interface Part {
  readonly name: string;
  readonly space: VectorSpace;
}

/** Reads and writes the points of collections. Methods return null or false if the collection does not exist. */
export class CollectionPoints {
  readonly #connection: QdrantConnection;
  readonly #ordering: { readonly ordering?: 'medium' };

  constructor(connection: QdrantConnection, replicas: number) {
    this.#connection = connection;
    // With `medium`, one node orders the writes to a point, so that all replicas have the same result.
    this.#ordering = replicas > 1 ? { ordering: 'medium' } : {};
  }

  async upsert(
    { name, space }: Part,
    points: readonly VectorPoint[],
    limits: () => Limits,
  ): Promise<boolean> {
    const deduplicated = [...new Map(points.map((point) => [point.id, point])).values()];
    const batchSize = Math.floor(MAX_BYTES / (space.dimension * BYTES_PER_VALUE + BYTES_PER_POINT));
    for (const batch of batchesOf(deduplicated, Math.max(1, batchSize))) {
      const written = await this.#connection.request(
        (api, init) =>
          api.upsertPoints(
            {
              collection_name: name,
              wait: true,
              ...this.#ordering,
              points: batch.map((point) => structOf(space, point)),
            },
            init,
          ),
        limits(),
      );
      if (written === null) return false;
    }
    return true;
  }

  async remove(
    { name, space }: Part,
    ids: readonly number[],
    limits: () => Limits,
  ): Promise<boolean> {
    for (const batch of batchesOf(ids, MAX_IDS)) {
      const points = batch.map((id) => pointId(space, id));
      const removed = await this.#connection.request(
        (api, init) =>
          api.deletePoints({ collection_name: name, wait: true, ...this.#ordering, points }, init),
        limits(),
      );
      if (removed === null) return false;
    }
    return true;
  }

  async removeEnvironment(name: string, environmentId: number, limits: Limits): Promise<void> {
    const filter = { must: [ofEnvironment(environmentId)] };
    await this.#connection.request(
      (api, init) =>
        api.deletePoints({ collection_name: name, wait: true, ...this.#ordering, filter }, init),
      limits,
    );
  }

  async list(
    { name, space }: Part,
    { after, limit }: { readonly after: number; readonly limit: number },
    limits: Limits,
  ): Promise<readonly IndexedEntry[] | null> {
    const page = await this.#connection.request(
      (api, init) =>
        api.scrollPoints(
          {
            collection_name: name,
            filter: { must: [ofEnvironment(space.environmentId)] },
            offset: pointId(space, after + 1),
            limit,
            with_payload: [IDENTITY, FINGERPRINT],
            with_vector: false,
          },
          init,
        ),
      limits,
    );
    if (page === null) return null;
    return page.points.map(({ id, payload }) => ({
      id: entityId(id),
      identityId: identityOf(payload),
      fingerprint: fingerprintOf(payload),
    }));
  }
}

function structOf(space: VectorSpace, { id, identityId, fingerprint, vector }: VectorPoint) {
  const payload = {
    [ENVIRONMENT]: String(space.environmentId),
    ...(identityId !== null && { [IDENTITY]: identityId }),
    [FINGERPRINT]: fingerprint,
  };
  return { id: pointId(space, id), vector: Array.from(vector), payload };
}

function* batchesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
