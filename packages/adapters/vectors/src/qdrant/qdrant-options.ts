import type { ReadValues } from '@sightline/platform/resilience/credential';
import type { Logger } from '@sightline/platform/logging/logger';
import type { Guard, RequireAnswer } from '@sightline/platform/resilience/guard';

export interface QdrantOptions {
  /** The URL of the REST API. Without a port, the default port of the scheme is used. */
  readonly url: URL;
  /** Reads the API key; absent if the server requires none. */
  readonly apiKey?: ReadValues;
  /** The UUID of the installation, because several installations may share a server. */
  readonly installation: string;
  /**
   * The number of shards of each new collection, at least 1. Existing collections keep their number until a rebuild.
   */
  readonly shards?: number;
  /** The number of replicas of each shard: at least 1, at most the number of nodes. */
  readonly replicas?: number;
  /** The circuit breaker that wraps each request. */
  readonly guard?: Guard;
  /** Tells whether the server answers. The guard supplies this function; by default, each call sends a request. */
  readonly requireAnswer?: RequireAnswer;
  readonly logger: Logger;
  readonly timeouts?: Partial<QdrantTimeouts>;
}

/** The timeouts of whole operations, in ms. */
export interface QdrantTimeouts {
  /** The timeout of a search, a list page or a state. */
  readonly read: number;
  /** The timeout of writing a batch of points. */
  readonly write: number;
  /** The timeout of creating, switching or deleting collections. */
  readonly change: number;
}
