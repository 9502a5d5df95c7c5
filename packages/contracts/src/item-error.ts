import { z } from 'zod';

/** Why one item of a batch failed; the others are not affected. */
export const ItemError = z
  .object({
    code: z.string().describe('One of the codes of problem documents.'),
    detail: z.string(),
  })
  .meta({ id: 'ItemError', description: 'Why one item of a batch failed.' });
