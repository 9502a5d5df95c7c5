import { z } from 'zod';

/** The reason why one item of a batch failed. A failed item does not affect the other items. */
export const ItemError = z
  .object({
    code: z.string().describe('One of the codes of problem documents.'),
    detail: z.string(),
  })
  .meta({ id: 'ItemError', description: 'The reason why one item of a batch failed.' });
