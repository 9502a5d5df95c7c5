import type { ClusterChanged } from '@sightline/core/similarity/require-cluster';
import { presentClusterPage } from './present-cluster.ts';

/** The members of the problem about a group that has changed. */
export function presentClusterChange({ cluster, added, removed }: ClusterChanged) {
  return { cluster: presentClusterPage(cluster), added, removed };
}
