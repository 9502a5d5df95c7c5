import { z } from 'zod';
import { jsonResponse } from './define-contract.ts';
import { timestamp } from './timestamp.ts';

const count = z.int().min(0);

export const Buckets = z
  .object({
    items: z
      .array(
        z.object({
          cursor: z
            .string()
            .nullable()
            .describe(
              'With this cursor, the list begins with the first row of the bucket; null for the first bucket.',
            ),
          first: z
            .union([z.string(), z.number()])
            .nullable()
            .describe(
              'The value of the first row by which the list is ordered: a label, a time, a number, or null if the row has none.',
            ),
          count: count.describe('Number of rows in the bucket.'),
        }),
      )
      .max(1000),
    total: count.describe('Number of all rows.'),
    as_of: timestamp.describe(
      'The list had these rows at this time. ISO 8601 in UTC with milliseconds.',
    ),
  })
  .meta({
    id: 'Buckets',
    description:
      'Consecutive parts of a list, for access at any place of it: at most 1,000, each but the last with at least 200 rows.',
  });

/** The description of an endpoint that divides a list into buckets. */
export const BUCKETS_DESCRIPTION =
  'The parameters are those of the list. An answer may be up to 10 seconds old.';

export const bucketResponse = {
  200: jsonResponse('The buckets, in the order of the list.', Buckets),
};
