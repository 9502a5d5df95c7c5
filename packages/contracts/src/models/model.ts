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
      .describe('URL at which the model is published; null if the model cannot be downloaded.'),
    sha256: z
      .string()
      .nullable()
      .describe(
        'SHA-256 of the model files and their preprocessing; null before the first download.',
      ),
    size_bytes: z
      .int()
      .nullable()
      .describe('Size of the download in bytes; null if the model was not downloaded.'),
    license: z.string(),
    commercial_use: z
      .union([z.boolean(), z.literal('unknown')])
      .describe('Whether the license allows commercial use; `unknown` is no permission.'),
    commercial_use_reason: z
      .string()
      .nullable()
      .describe('An explanation of whether commercial use is allowed, if there is one.'),
    status: z.enum(['available', 'downloading', 'downloaded', 'failed']),
    active: z.boolean().describe('Whether the model is the active one of its task.'),
    provides: z.array(z.enum(['age', 'gender', 'pose', 'landmarks'])),
    embedding_dim: z
      .int()
      .nullable()
      .describe('Length of the embeddings; null for models without embeddings.'),
    classes: z
      .array(z.string())
      .describe('Names of the classes; the index of a name is the class id.'),
    error: z
      .string()
      .nullable()
      .describe(
        'The reason why the last download failed; null if the last download did not fail. If a model cannot be loaded, the activation of the model reports the reason.',
      ),
  })
  .meta({ id: 'Model', description: 'A model of the installation.' });
