import type { ImportCounts as Answer } from '@sightline/contracts/transfer/import-counts';
import type { ImportCounts } from '@sightline/core/transfer/import-counts';
import type { z } from 'zod';

export function presentImportCounts(counts: ImportCounts): z.input<typeof Answer> {
  return {
    identities_created: counts.identitiesCreated,
    identities_merged: counts.identitiesMerged,
    detections_created: counts.detectionsCreated,
    embeddings_created: counts.embeddingsCreated,
    embeddings_dropped: counts.embeddingsDropped,
    images_created: counts.imagesCreated,
    skipped: counts.skipped,
  };
}
