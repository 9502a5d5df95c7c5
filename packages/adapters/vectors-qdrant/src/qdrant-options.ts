import type { Logger } from '@sightline/platform/logging/logger';
import type { Guard, RequireAnswer } from '@sightline/platform/resilience/guard';

/** Where vectors are indexed, and how. */
export interface QdrantOptions {
  /** Scheme, host, port and path of its REST interface; without a port that of the scheme. */
  readonly url: URL;
  readonly apiKey?: string;
  /** UUID: several installations may share a server. */
  readonly installation: string;
  /** Of each collection, from 1 on. What exists keeps what it has until the index is built anew. */
  readonly shards?: number;
  /** Of each shard, from 1 on; no more than the server has nodes. */
  readonly replicas?: number;
  /** Around each request. */
  readonly guard?: Guard;
  /** Of the one who guards it; absent: the server is asked each time. */
  readonly requireAnswer?: RequireAnswer;
  readonly logger: Logger;
  readonly timeouts?: Partial<QdrantTimeouts>;
  /** Names a draft: 8 digits or letters from a to f, of which no two drafts have the same. */
  readonly nameDraft?: () => string;
}

/** Time that a call has in all, in ms. */
export interface QdrantTimeouts {
  /** Of a search, a page of a list, and the question for the state. */
  readonly read: number;
  /** Of a batch of points. */
  readonly write: number;
  /** Of what makes, switches and removes collections. */
  readonly change: number;
}
