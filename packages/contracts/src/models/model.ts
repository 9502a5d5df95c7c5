import { z } from 'zod';
import { ModelTask } from '../discovery/model-task.ts';

export const Model = z
  .object({
    id: z.int(),
    name: z.string(),
    task: ModelTask,
    version: z.string(),
    source_url: z
      .string()
      .nullable()
      .describe('Where it is published; null if it cannot be downloaded.'),
    sha256: z
      .string()
      .nullable()
      .describe(
        'SHA-256 of the model files and their preprocessing; null before the first download.',
      ),
    size_bytes: z.int().nullable().describe('Bytes of the download; null if there was none.'),
    license: z.string(),
    commercial_use: z
      .union([z.boolean(), z.literal('unknown')])
      .describe('Whether the license allows commercial use; `unknown` is no permission.'),
    commercial_use_reason: z
      .string()
      .nullable()
      .describe('Why commercial use is allowed, not allowed or unknown, if there is more to say.'),
    status: z.enum(['available', 'downloading', 'downloaded', 'failed']),
    active: z.boolean().describe('Whether it answers its task.'),
    provides: z.array(z.enum(['age', 'gender', 'pose', 'landmarks'])),
    embedding_dim: z
      .int()
      .nullable()
      .describe('Length of the embeddings; null for models without embeddings.'),
    classes: z.array(z.string()).describe('Names of classes by class id.'),
    error: z
      .string()
      .nullable()
      .describe(
        'Why the last download failed; null if it did not. Why a model cannot be loaded its activation tells.',
      ),
  })
  .meta({ id: 'Model', description: 'A model of the installation.' });
