import { z } from 'zod';

const count = z.int().min(0);

export const ImportCounts = z
  .object({
    identities_created: count,
    identities_merged: count.describe('Identities of the archive that already existed.'),
    detections_created: count,
    embeddings_created: count.describe('New references, for all models.'),
    images_created: count,
    skipped: count.describe('Images and detections that already existed.'),
  })
  .meta({ id: 'ImportCounts', description: 'The numbers of records that an import has changed.' });
