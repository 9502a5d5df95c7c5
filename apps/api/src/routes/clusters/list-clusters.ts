import { listClustersContract } from '@sightline/contracts/clusters/list-clusters-contract';
import { type ClusterPosition, findClusters } from '@sightline/core/similarity/find-clusters';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentCluster } from './present-cluster.ts';

/** The column is a 32-bit integer. */
const MOST_ATTACHED = 2 ** 31 - 1;

const Cursor = z
  .tuple([
    z.int(),
    z.int().min(0).max(MOST_ATTACHED),
    z.int(),
    z.number(),
    z.int(),
    z.int().min(0),
    z.number().min(-1).max(1),
    z.iso.datetime().or(z.literal('')),
  ])
  .transform(([version, attached, size, confidence, firstId, ...totals]): ClusterPosition => {
    const [totalUnclustered, threshold, asOf] = totals;
    const position = { size, confidence, firstId, totalUnclustered, threshold };
    return { tree: { version, attached }, ...position, asOf: asOf === '' ? null : new Date(asOf) };
  });

export const listClustersRoute = defineRoute(listClustersContract, {
  async handler({ database, modelStore, groupCuts, scans }, { query, scope, signal }) {
    const { threshold, cursor, limit, items } = query;
    const isOfList = ({ threshold: own }: ClusterPosition) => own === (threshold ?? own);
    const after = decodeCursor(Cursor.refine(isOfList), cursor);
    const deps = { database, models: modelStore, cuts: groupCuts };
    const find = () => findClusters(deps, { scope, threshold, after, limit, items }, signal);
    const found = await scans.run(scope, find, signal);
    const { next } = found;
    return {
      status: 200,
      body: {
        clusters: found.clusters.map(presentCluster),
        total_unclustered: found.totalUnclustered,
        threshold: found.threshold,
        as_of: found.asOf?.toISOString() ?? null,
        next_cursor: next && encodePosition(next),
        has_more: next !== null,
      },
    };
  },
});

function encodePosition({ tree, ...position }: ClusterPosition): string {
  const { size, confidence, firstId, totalUnclustered, threshold, asOf } = position;
  const group = [size, confidence, firstId];
  const totals = [totalUnclustered, threshold, asOf?.toISOString() ?? ''];
  return encodeCursor([tree.version, tree.attached, ...group, ...totals]);
}
