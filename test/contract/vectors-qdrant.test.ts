import { afterAll, beforeAll } from '@jest/globals';
import { createLogger } from '@sightline/platform/logging/logger';
import { QdrantVectorIndex } from '@sightline/vectors/qdrant/qdrant-vector-index';
import type { TestQdrant } from '../support/servers/choose-qdrant.ts';
import { describeWithQdrant } from '../support/servers/qdrant.ts';
import { describeVectorIndex } from './vector-index.contract.ts';

/** The timeouts are generous, because the suite tests answers, not durations. */
const timeouts = { read: 60_000, write: 60_000, change: 60_000 };

describeWithQdrant('a Qdrant', (startQdrant) => {
  let qdrant: TestQdrant;
  beforeAll(async () => {
    qdrant = await startQdrant();
  });
  afterAll(async () => {
    await qdrant[Symbol.asyncDispose]();
  });

  describeVectorIndex(
    'vectors-qdrant',
    () => {
      const index = new QdrantVectorIndex({
        url: qdrant.url,
        ...(qdrant.apiKey !== undefined && { apiKey: () => [qdrant.apiKey!] }),
        installation: qdrant.installation(),
        timeouts,
        logger: createLogger({ level: 'silent', destination: { write: () => undefined } }),
      });
      return Promise.resolve({ index, [Symbol.asyncDispose]: () => Promise.resolve() });
    },
    { tolerance: 1e-5 },
  );
});
