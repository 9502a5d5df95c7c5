import { z } from 'zod';
import { integer } from './numeric.ts';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** The maximum number of items in a page. A value outside the allowed range is set to the nearest limit. */
export const limit = integer().transform((count) => Math.min(Math.max(count, 1), MAX_LIMIT));

export const cursor = z.string().max(4096).describe('`next_cursor` of the previous page.');

/** The query parameters of a list that is always returned in pages. */
export const page = {
  cursor: cursor.optional(),
  limit: limit
    .default(DEFAULT_LIMIT)
    .describe(
      `Maximum number of items, 1 to ${MAX_LIMIT}; other values are clamped. Default: ${DEFAULT_LIMIT}.`,
    ),
};

/** The query parameters of a list that is returned as a whole unless the request gives a limit. */
export const optionalPage = {
  cursor: cursor.optional(),
  limit: limit
    .optional()
    .describe(
      `Maximum number of items, 1 to ${MAX_LIMIT}; other values are clamped. Default: all.`,
    ),
};

export function pageOf<S extends z.ZodType>(item: S) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('Cursor of the next page; null on the last page.'),
    has_more: z.boolean(),
  });
}
