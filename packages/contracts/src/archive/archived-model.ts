import { z } from 'zod';
import { storableText } from '../text.ts';
import { archivedDigest } from './archived-file.ts';
import { archivedId } from './archived-id.ts';

/** A line of `models.jsonl`: a model of which the archive has vectors. */
export const ArchivedModel = z.object({
  model: archivedId,
  name: storableText(200).min(1),
  revision: archivedDigest.describe('Of its components and their preprocessing.'),
  embedding_dim: z.int().min(1).max(65_536).describe('Floats of a vector.'),
});
