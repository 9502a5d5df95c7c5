import { z } from 'zod';
import { integer } from './numeric.ts';

/** The path of one record. */
export const idPath = z.object({ id: integer() });

/** Maximum number of ids in one request. */
export const MAX_IDS = 1000;

/** Ids in a body; duplicates are dropped. */
export const idList = z
  .array(z.int())
  .max(MAX_IDS)
  .transform((ids) => [...new Set(ids)]);

/** Ids in a query, in which a single id is not a list. */
export const repeatedId = z.preprocess(
  (value) => (value === undefined || Array.isArray(value) ? value : [value]),
  z.array(integer()).max(MAX_IDS),
) as unknown as z.ZodType<number[], number | readonly (number | string)[]>;
