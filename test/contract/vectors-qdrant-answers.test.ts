import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { watchService } from '@sightline/composition/watch-service';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { createLogger } from '@sightline/platform/logging/logger';
import { QdrantPing } from '@sightline/vectors/qdrant/qdrant-ping';
import { QdrantVectorIndex } from '@sightline/vectors/qdrant/qdrant-vector-index';
import { processFaults } from '../faults/breakable-service.ts';
import { describeWithQdrantProcess } from '../support/servers/qdrant.ts';
import { QdrantProcess } from '../support/servers/qdrant-process.ts';
import { describeAnswers } from './answering-store.contract.ts';
import { axis, someSpace } from './vector-index/sample-vectors.ts';

const installation = '00000000-0000-4000-8000-0000000a45e2';
const logger = createLogger({ level: 'silent', destination: { write: () => undefined } });
const unavailable = expect.objectContaining({ code: 'vectors_unavailable' });

/** An index on a server whose availability is watched. */
function watchedIndex({ url }: QdrantProcess) {
  const connection = new QdrantPing({ url });
  const dependency = watchService(
    {
      name: 'vectors',
      ping: (signal) => connection.ping(signal),
      unavailable: (cause) => new VectorsUnavailable('It does not answer.', {}, { cause }),
    },
    { logger },
  );
  const { guard, requireAnswer } = dependency;
  const index = new QdrantVectorIndex({ url, installation, logger, guard, requireAnswer });
  return { index, dependency };
}

describeWithQdrantProcess('a Qdrant that is watched', () => {
  describeAnswers(
    'vectors-qdrant',
    async () => {
      const qdrant = await QdrantProcess.start();
      const { index, dependency } = watchedIndex(qdrant);
      return {
        store: index,
        outages: processFaults(qdrant),
        async [Symbol.asyncDispose]() {
          dependency[Symbol.dispose]();
          await qdrant[Symbol.asyncDispose]();
        },
      };
    },
    { code: 'vectors_unavailable', outages: ['killed', 'hung'] },
  );
});

describeWithQdrantProcess('a Qdrant that was never filled', () => {
  let qdrant: QdrantProcess;
  let watched: ReturnType<typeof watchedIndex>;
  beforeEach(async () => {
    qdrant = await QdrantProcess.start();
    watched = watchedIndex(qdrant);
  });
  afterEach(async () => {
    watched.dependency[Symbol.dispose]();
    await qdrant[Symbol.asyncDispose]();
  });

  test('says so from when that is known until it is filled, by whomever', async () => {
    const { index } = watched;
    const search = () => index.searchPoints(someSpace(), { vectors: [axis(0)], limit: 1 });
    await index.requireAnswer();
    await expect(search()).rejects.toEqual(unavailable);
    await expect(index.requireAnswer()).rejects.toEqual(unavailable);
    const elsewhere = new QdrantVectorIndex({ url: qdrant.url, installation, logger });
    await (await elsewhere.begin()).publish();
    await index.requireAnswer();
    expect(await search()).toEqual([[]]);
  });
});
