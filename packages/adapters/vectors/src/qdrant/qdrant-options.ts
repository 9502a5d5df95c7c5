import type { Logger } from '@sightline/platform/logging/logger';
import type { Guard, RequireAnswer } from '@sightline/platform/resilience/guard';

/** The address of a Qdrant, and how it indexes vectors. */
export interface QdrantOptions {
  /** Scheme, host, port and path of the REST API; the default port is that of the scheme. */
  readonly url: URL;
  readonly apiKey?: string;
  /** UUID: several installations may share a server. */
  readonly installation: string;
  /**
   * Shards of each new collection, at least 1. Existing collections keep theirs until a rebuild.
   */
  readonly shards?: number;
  /** Replicas of each shard, at least 1 and at most the number of nodes. */
  readonly replicas?: number;
  /** Wraps each request. */
  readonly guard?: Guard;
  /** Supplied by the guard; default: sends a request each time. */
  readonly requireAnswer?: RequireAnswer;
  readonly logger: Logger;
  readonly timeouts?: Partial<QdrantTimeouts>;
}

/** Timeouts of a whole call in ms. */
export interface QdrantTimeouts {
  /** Searches, list pages and state. */
  readonly read: number;
  /** A batch of points. */
  readonly write: number;
  /** Creating, switching and deleting collections. */
  readonly change: number;
}
