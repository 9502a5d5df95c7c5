import { z } from 'zod';
import { integer } from './numeric.ts';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** Which part of a list; a limit out of range is clamped. */
export const limit = integer().transform((count) => Math.min(Math.max(count, 1), MAX_LIMIT));

export const cursor = z.string().max(4096).describe('`next_cursor` of the page before.');

/** The query of a list that is whole unless a limit is given. */
export const optionalPage = {
  cursor: cursor.optional(),
  limit: limit
    .optional()
    .describe(`Most items, 1 to ${MAX_LIMIT}; what lies outside is clamped. Default: all.`),
};

/** A page of a list. */
export function pageOf<S extends z.ZodType>(item: S) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('Where the next page begins; null after the last.'),
    has_more: z.boolean(),
  });
}
