import { z } from 'zod';

/**
 * A number that may arrive as text, from a query or a form. The schema refuses empty text, and
 * whatever is neither a number nor text.
 */
export function numeric(schema: z.ZodNumber): z.ZodType<number, number | string> {
  return z.preprocess(
    (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
    schema,
  ) as unknown as z.ZodType<number, number | string>;
}

/** An integer that may arrive as text, in decimal digits. */
export function integer(schema: z.ZodNumber = z.int()): z.ZodType<number, number | string> {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
    schema,
  ) as unknown as z.ZodType<number, number | string>;
}
