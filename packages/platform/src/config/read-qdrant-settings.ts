import type { Config } from './parse-config.ts';
import { readSecret } from './read-secret.ts';

/** A Qdrant that keeps the index of faces. */
export interface QdrantSettings {
  readonly url: URL;
  /** Null where it asks for none. */
  readonly apiKey: string | null;
  /** Of each collection that is made. */
  readonly shards: number;
  /** Of each shard. */
  readonly replicas: number;
}

/**
 * The Qdrant of the configuration; null if there is none.
 *
 * @throws StartError if the key is given twice, or its file cannot be read
 */
export function readQdrantSettings(config: Config): QdrantSettings | null {
  if (config.qdrantUrl === null) return null;
  return {
    url: new URL(config.qdrantUrl),
    apiKey: readSecret(config, { given: 'qdrantApiKey', file: 'qdrantApiKeyFile' }),
    shards: config.qdrantShards,
    replicas: config.qdrantReplicas,
  };
}
