import { z } from 'zod';
import { timestamp } from '../timestamp.ts';
import { ARCHIVE_VERSION } from './archive-layout.ts';

/** The content of `sightline.json`, which describes the archive as a whole. */
export const ArchiveHead = z.object({
  format: z.literal('sightline-archive'),
  version: z.literal(ARCHIVE_VERSION).describe('Version of the layout of the archive.'),
  created_at: timestamp,
  product: z.string().max(100).describe('The version of Sightline that wrote the archive.'),
  whole: z
    .boolean()
    .describe('Whether the archive contains the whole library or only selected identities.'),
});
