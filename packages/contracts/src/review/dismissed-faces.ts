import { z } from 'zod';

export const DismissedFaces = z
  .object({
    dismissed: z
      .int()
      .min(0)
      .describe('Number of faces among the ids, including faces that were already dismissed.'),
  })
  .meta({ id: 'DismissedFaces' });
