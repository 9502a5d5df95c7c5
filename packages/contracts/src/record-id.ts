import { z } from 'zod';
import { integer } from './numeric.ts';

export const idPath = z.object({ id: integer() });

export const MAX_IDS = 1000;

/** A list of ids in a body, without duplicates. */
export const idList = z
  .array(z.int())
  .max(MAX_IDS)
  .transform((ids) => [...new Set(ids)]);

/** A list of ids in a query. A query with one id contains a single value instead of a list. */
export const repeatedId = z.preprocess(
  (value) => (value === undefined || Array.isArray(value) ? value : [value]),
  z.array(integer()).max(MAX_IDS),
) as unknown as z.ZodType<number[], number | readonly (number | string)[]>;
