import { setTimeout as sleep } from 'node:timers/promises';
import type { VectorSpace } from '@sightline/core/vectors/vector-index';
import { createLogger } from '@sightline/platform/logging/logger';
import { CollectionNames } from '@sightline/vectors/qdrant/collection-names';
import { QdrantVectorIndex } from '@sightline/vectors/qdrant/qdrant-vector-index';
import type { TestQdrant } from './choose-qdrant.ts';
import { WaitLimit } from '../waits/wait-until.ts';

const POLL_MS = 500;
/** The number of consecutive polls that must find nothing to optimize, because optimizations follow one another. */
const QUIET_POLLS = 4;

/** Generous time limits in ms, for searches whose duration is measured. */
const timeouts = { read: 60_000, write: 120_000, change: 120_000 };

/** How far a collection has been optimized. */
export interface IndexedPoints {
  readonly isComplete: boolean;
  readonly points: number;
  /** The approximate number of points in quantized segments. */
  readonly indexed: number;
}

interface CollectionInfo {
  readonly status: string;
  readonly points_count: number;
  readonly indexed_vectors_count: number;
}

/** A space of a new installation on a Qdrant, with an index as the service has it, and a look behind the index. */
export class QdrantSpace {
  readonly index: QdrantVectorIndex;
  readonly #collection: URL;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(qdrant: TestQdrant, space: VectorSpace) {
    const { url, apiKey } = qdrant;
    const installation = qdrant.installation();
    this.index = new QdrantVectorIndex({
      url,
      ...(apiKey !== undefined && { apiKey: () => [apiKey] }),
      installation,
      timeouts,
      logger: createLogger({ level: 'silent', destination: { write: () => undefined } }),
    });
    this.#collection = new URL(
      `/collections/${new CollectionNames(installation).alias(space)}`,
      url,
    );
    this.#headers = {
      'accept-encoding': 'identity',
      ...(apiKey !== undefined && { 'api-key': apiKey }),
    };
  }

  /** Waits until Qdrant has nothing to optimize, or the time is over. */
  async untilIndexed(ms: number): Promise<IndexedPoints> {
    const limit = new WaitLimit(ms);
    for (let quiet = 0; ;) {
      const { status, points_count: points, indexed_vectors_count: indexed } = await this.#info();
      quiet = status === 'green' ? quiet + 1 : 0;
      const isComplete = quiet === QUIET_POLLS;
      if (isComplete || limit.isOver()) return { isComplete, points, indexed };
      await sleep(POLL_MS);
    }
  }

  /** @throws Error if Qdrant refuses the request */
  async #info(): Promise<CollectionInfo> {
    const response = await fetch(this.#collection, { headers: this.#headers });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { readonly result: CollectionInfo }).result;
  }
}
