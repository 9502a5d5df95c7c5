import { z } from 'zod';

const WORDS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A boolean, which may arrive as text in a query or a form. */
export const flag = z.preprocess(
  (value) => WORDS.get(typeof value === 'string' ? value.toLowerCase() : value) ?? value,
  z.boolean(),
) as unknown as z.ZodType<boolean, boolean | 'true' | 'false'>;
