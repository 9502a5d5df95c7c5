import type { ApiServer } from './api-server.ts';

/** Stores a tree that joins strangers to one group, and returns the group's id. An environment can have one such tree. */
export async function plantGroup(
  { client, stores, environment }: ApiServer,
  ids: readonly number[],
): Promise<string> {
  const { id: environmentId } = await stores.keys.environment(environment);
  const active = await stores.models.active();
  const model = active.find(({ task }) => task === 'face')!;
  const count = ids.length;
  const tree = {
    faces: Float64Array.from(ids).sort(),
    confidences: new Float64Array(count).fill(0.9),
    // The first joining has two faces, and each other one has the joining before and a face.
    parts: Int32Array.from(
      Array.from({ length: count - 1 }, (_, at) => [at === 0 ? 0 : count + at - 1, at + 1]).flat(),
    ),
    cosines: new Float64Array(count - 1).fill(0.99),
  };
  await stores.database.withEntities({ environmentId, locks: [] }, async ({ followed }) => {
    const step = { turn: 1, scannedTo: null, isSettled: true, currentAt: null };
    await followed.advance(model.id, null, step);
    await followed.addTree(model.id, tree, new Date());
  });
  const { body } = await client.listClusters();
  return body!.clusters[0]!.cluster_id;
}
