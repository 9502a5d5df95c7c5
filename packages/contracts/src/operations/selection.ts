import { z } from 'zod';
import { MAX_IDS } from '../record-id.ts';
import { timeFilter } from '../timestamp.ts';

/** The members of a request about all records that a filter matches. */
export const selection = {
  as_of: timeFilter.describe(
    'Records that were stored after this time are left out: the time when the caller saw them.',
  ),
  except: z.array(z.int()).max(MAX_IDS).optional().describe('Ids of records that are left out.'),
  dry_run: z
    .boolean()
    .optional()
    .describe('Whether to count the records and change nothing. Default: false.'),
};

export const confirmCount = z
  .int()
  .min(0)
  .optional()
  .describe(
    'Required for deletions: the number of records, as the same request with `dry_run` counts it.',
  );

export const SelectionCount = z
  .object({ count: z.int().min(0).describe('Number of records that match.') })
  .meta({ id: 'SelectionCount' });
