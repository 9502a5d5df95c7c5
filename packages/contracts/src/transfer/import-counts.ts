import { z } from 'zod';

const count = z.int().min(0);

export const ImportCounts = z
  .object({
    identities_created: count,
    identities_merged: count.describe('Identities of the archive that already existed.'),
    detections_created: count,
    embeddings_created: count.describe('New references, for all models.'),
    embeddings_dropped: count.describe(
      'Embeddings of the archive that were not imported, because the landmarks of their faces are not those of a face. A job computes them again.',
    ),
    images_created: count,
    skipped: count.describe('Images and detections that already existed.'),
  })
  .meta({ id: 'ImportCounts', description: 'The numbers of records that an import has changed.' });
