import { optionalText, origin, variable, wholeNumber } from '../variable.ts';

export const VECTORS_VARIABLES = {
  qdrantUrl: variable({
    name: 'SIGHTLINE_QDRANT_URL',
    description:
      'Qdrant server for the index of faces, for example http://qdrant:6333; unset: each process has its own index in memory',
    default: null,
    schema: origin(),
  }),
  qdrantApiKey: variable({
    name: 'SIGHTLINE_QDRANT_API_KEY',
    description: 'API key for the Qdrant server',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  qdrantApiKeyFile: variable({
    name: 'SIGHTLINE_QDRANT_API_KEY_FILE',
    description:
      'File that contains the API key for the Qdrant server; read again while the process runs, and may have a second line with a value that is still valid',
    default: null,
    schema: optionalText(),
  }),
  qdrantShards: variable({
    name: 'SIGHTLINE_QDRANT_SHARDS',
    description: 'Number of shards of a new Qdrant collection',
    default: '1',
    schema: wholeNumber(1, 256),
  }),
  qdrantReplicas: variable({
    name: 'SIGHTLINE_QDRANT_REPLICAS',
    description: 'Number of replicas of each shard of a new Qdrant collection',
    default: '1',
    schema: wholeNumber(1, 16),
  }),
};
