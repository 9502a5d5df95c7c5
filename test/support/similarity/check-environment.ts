import { openComparison } from '@sightline/composition/vectors/open-comparison';
import { checkSimilarity, type SimilarityCheck } from '@sightline/core/similarity/check-similarity';
import type { StoreFixture } from '../fixtures/store-fixture.ts';

/** Compares what is stored for an environment with a computation from the rows, as `sightline check --deep` does. */
export async function checkEnvironment(
  { database, openFaces, source, similarityQueue }: StoreFixture,
  environmentId: number,
  { isExact } = { isExact: true },
): Promise<SimilarityCheck> {
  await using comparison = openComparison();
  const spaces = async () =>
    (await similarityQueue.spaces()).filter((one) => one.environmentId === environmentId);
  const deps = { ...comparison, database, indexSource: source, source: openFaces };
  return await checkSimilarity({ ...deps, queue: { spaces } }, { isExact, settleMs: 0 });
}
