import { z } from 'zod';
import { storableText } from '../text.ts';
import { archivedDigest } from './archived-file.ts';
import { archivedId } from './archived-id.ts';

/** A line of `models.jsonl`, which describes a model whose vectors the archive contains. */
export const ArchivedModel = z.object({
  model: archivedId,
  name: storableText(200).min(1),
  revision: archivedDigest.describe("SHA-256 of the model's components and their preprocessing."),
  embedding_dim: z.int().min(1).max(65_536).describe('Number of floats of a vector.'),
});
