import { z } from 'zod';
import { timestamp } from '../timestamp.ts';
import { ARCHIVE_VERSION } from './archive-layout.ts';

/** `sightline.json`: what the archive is. */
export const ArchiveHead = z.object({
  format: z.literal('sightline-archive'),
  version: z.literal(ARCHIVE_VERSION).describe('Of the layout.'),
  created_at: timestamp,
  product: z.string().max(100).describe('The version of Sightline that wrote it.'),
  whole: z.boolean().describe('Whether the archive has the whole library, or selected identities.'),
});
