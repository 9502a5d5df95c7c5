import { z } from 'zod';

/** The answer of the endpoints that dismiss many faces. */
export const DismissedFaces = z
  .object({
    dismissed: z
      .int()
      .min(0)
      .describe('Number of faces among the ids, including those that were dismissed before.'),
  })
  .meta({ id: 'DismissedFaces' });
