import { readSecret } from './read-secret.ts';
import type { Config } from './variable-groups.ts';

export interface QdrantSettings {
  readonly url: URL;
  /** Null if the server requires no API key. */
  readonly apiKey: string | null;
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
    apiKey: readSecret(config, { given: 'qdrantApiKey', file: 'qdrantApiKeyFile' }),
    shards: config.qdrantShards,
    replicas: config.qdrantReplicas,
  };
}
