import { readSecret } from './read-secret.ts';
import type { Config } from './variable-groups.ts';

/** A Qdrant server for the index of faces. */
export interface QdrantSettings {
  readonly url: URL;
  /** Null if the server requires none. */
  readonly apiKey: string | null;
  /** The number of shards of each new collection. */
  readonly shards: number;
  /** The number of replicas of each shard. */
  readonly replicas: number;
}

/**
 * The Qdrant server of the configuration; null if there is none.
 *
 * @throws StartError if the key is set twice, or if its file cannot be read
 */
export function readQdrantSettings(config: Config<'vectors'>): QdrantSettings | null {
  if (config.qdrantUrl === null) return null;
  return {
    url: new URL(config.qdrantUrl),
    apiKey: readSecret(config, { given: 'qdrantApiKey', file: 'qdrantApiKeyFile' }),
    shards: config.qdrantShards,
    replicas: config.qdrantReplicas,
  };
}
