import { getClusterContract } from '@sightline/contracts/clusters/get-cluster-contract';
import { findCluster } from '@sightline/core/similarity/find-clusters';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentClusterPage } from './present-cluster.ts';

const Cursor = z.tuple([z.number(), z.int()]).transform(([confidence, id]) => ({ confidence, id }));

export const getClusterRoute = defineRoute(getClusterContract, {
  async handler({ database, modelStore, groupCuts, scans }, { path, query, scope, signal }) {
    const { cursor, limit } = query;
    const after = decodeCursor(Cursor, cursor);
    const deps = { database, models: modelStore, cuts: groupCuts };
    const find = () => findCluster(deps, { scope, id: path.cluster_id, after, limit }, signal);
    const cluster = await scans.run(scope, find, signal);
    return { status: 200, body: presentClusterPage(cluster) };
  },
});
