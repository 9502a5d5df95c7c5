import { z } from 'zod';
import { flag } from '../flag.ts';

/** The query of deletions. */
export const purgeQuery = z.object({
  purge: flag
    .default(false)
    .describe(
      'Whether the deletion is permanent at once: it cannot be undone, and nothing is set aside. Earlier operations lose the values of the records, too, so that no undo brings anything of them back.',
    ),
});
