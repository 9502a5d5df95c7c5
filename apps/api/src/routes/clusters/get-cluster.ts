import { getClusterContract } from '@sightline/contracts/clusters/get-cluster-contract';
import { findCluster } from '@sightline/core/similarity/find-clusters';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentCluster } from './present-cluster.ts';

const Cursor = z.tuple([z.number(), z.int()]).transform(([confidence, id]) => ({ confidence, id }));

export const getClusterRoute = defineRoute(getClusterContract, {
  async handler({ database, modelStore, groupCuts, scans }, { path, query, scope, signal }) {
    const { cursor, limit } = query;
    const after = decodeCursor(Cursor, cursor);
    const deps = { database, models: modelStore, cuts: groupCuts };
    const find = () => findCluster(deps, { scope, id: path.cluster_id, after, limit }, signal);
    const cluster = await scans.run(scope, find, signal);
    const last = cluster.members.at(-1);
    const next =
      cluster.hasMore && last !== undefined ? encodeCursor([last.confidence, last.id]) : null;
    return {
      status: 200,
      body: {
        ...presentCluster(cluster),
        as_of: cluster.asOf?.toISOString() ?? null,
        next_cursor: next,
        has_more: next !== null,
      },
    };
  },
});
