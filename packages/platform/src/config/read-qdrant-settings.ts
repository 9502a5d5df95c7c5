import type { ReadValues } from '../resilience/credential.ts';
import { secretReader } from './read-secret.ts';
import type { Config } from './variable-groups.ts';

export interface QdrantSettings {
  readonly url: URL;
  /** Reads the API key; null if the server requires none. */
  readonly apiKey: ReadValues | null;
  readonly shards: number;
  readonly replicas: number;
}

/**
 * The configured Qdrant server; null if none is configured.
 *
 * @throws StartError if the API key is set twice, or if the file with the key cannot be read
 */
export function readQdrantSettings(config: Config<'vectors'>): QdrantSettings | null {
  if (config.qdrantUrl === null) return null;
  return {
    url: new URL(config.qdrantUrl),
    apiKey: secretReader(config, { given: 'qdrantApiKey', file: 'qdrantApiKeyFile' }, String),
    shards: config.qdrantShards,
    replicas: config.qdrantReplicas,
  };
}
