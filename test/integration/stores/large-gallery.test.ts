import { expect, test } from '@jest/globals';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import { GALLERY, PlantedGallery, recallOf } from '../../support/fixtures/planted-gallery.ts';
import { describeWithQdrant } from '../../support/servers/qdrant.ts';
import { QdrantSpace } from '../../support/servers/qdrant-space.ts';
import { IS_SOAK } from '../../support/gates/soak.ts';
import { LARGE_GALLERY_MS } from '../../support/waits/limits.ts';

const REFERENCES = IS_SOAK ? 1_000_000 : 5_000;
const BEST = 10;

describeWithQdrant('a large gallery in a Qdrant', (startQdrant) => {
  test(
    'has the best identities of an exact search',
    async () => {
      await using qdrant = await startQdrant();
      await using exact = new EmbeddedVectorIndex();
      const space = new QdrantSpace(qdrant, GALLERY);
      const planted = new PlantedGallery(REFERENCES);
      const drafts = [await space.index.begin(), await exact.begin()];
      for (const points of planted.references()) {
        for (const draft of drafts) await draft.upsert(GALLERY, points);
      }
      for (const draft of drafts) await draft.publish();
      const { isComplete, points } = await space.untilIndexed(LARGE_GALLERY_MS / 2);
      expect({ isComplete, points }).toEqual({ isComplete: true, points: REFERENCES });

      const queries = planted.queries();
      const answers = await bestIdentities(space.index, queries);
      expect(recallOf(answers, await bestIdentities(exact, queries))).toBeGreaterThanOrEqual(0.99);
    },
    LARGE_GALLERY_MS,
  );
});

async function bestIdentities(index: VectorIndex, queries: readonly Float32Array[]) {
  const answers = [];
  for (const vector of queries) {
    answers.push(...(await index.searchIdentities(GALLERY, { vectors: [vector], limit: BEST })));
  }
  return answers;
}
