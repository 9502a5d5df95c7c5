import { countClustersContract } from '@sightline/contracts/clusters/count-clusters-contract';
import { countClusters } from '@sightline/core/similarity/find-clusters';
import { defineRoute } from '../../http/define-route.ts';

export const countClustersRoute = defineRoute(countClustersContract, {
  async handler({ database, modelStore, groupCuts, scans }, { query, scope, signal }) {
    const deps = { database, models: modelStore, cuts: groupCuts };
    const count = () => countClusters(deps, { scope, threshold: query.threshold }, signal);
    return { status: 200, body: await scans.run(scope, count, signal) };
  },
});
