import { z } from 'zod';
import { integer } from './numeric.ts';

/** The path of one record. */
export const idPath = z.object({ id: integer() });

/** Most ids of one request. */
const MAX_IDS = 1000;

/** Ids in a body; those that occur again count once. */
export const idList = z
  .array(z.int())
  .max(MAX_IDS)
  .transform((ids) => [...new Set(ids)]);

/** Ids in a query, where one of them is no list. */
export const repeatedId = z.preprocess(
  (value) => (value === undefined || Array.isArray(value) ? value : [value]),
  z.array(integer()).max(MAX_IDS),
) as unknown as z.ZodType<number[], number | readonly (number | string)[]>;
