import type { Cluster as ClusterAnswer } from '@sightline/contracts/clusters/cluster';
import type { ClusterPage } from '@sightline/contracts/clusters/get-cluster-contract';
import type { Cluster, ClusterMembers } from '@sightline/core/similarity/find-clusters';
import { cropUrl } from '@sightline/presentation/media-url';
import type { z } from 'zod';
import { encodeCursor } from '../../http/cursor.ts';

export function presentCluster({ id, size, members }: Cluster): z.input<typeof ClusterAnswer> {
  return {
    cluster_id: id,
    size,
    items: members.map((face) => ({
      detection_id: face.id,
      crop_url: cropUrl(face.id, face.cropKey),
      confidence: face.confidence,
      detected_at: face.detectedAt.toISOString(),
    })),
  };
}

export function presentClusterPage(cluster: ClusterMembers): z.input<typeof ClusterPage> {
  const last = cluster.members.at(-1);
  const next =
    cluster.hasMore && last !== undefined ? encodeCursor([last.confidence, last.id]) : null;
  return {
    ...presentCluster(cluster),
    as_of: cluster.asOf?.toISOString() ?? null,
    next_cursor: next,
    has_more: next !== null,
  };
}
