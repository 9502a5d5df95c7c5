import type { Cluster as ClusterAnswer } from '@sightline/contracts/clusters/cluster';
import type { Cluster } from '@sightline/core/similarity/find-clusters';
import { cropUrl } from '@sightline/presentation/media-url';
import type { z } from 'zod';

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
