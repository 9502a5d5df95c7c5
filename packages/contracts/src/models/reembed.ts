import { z } from 'zod';

export const reembed = z
  .enum(['before', 'after'])
  .optional()
  .describe('When enrolled faces get embeddings of the model. Default: `before`.');
