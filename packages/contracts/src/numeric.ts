import { z } from 'zod';

/**
 * A number that may come as text, as it does from a query or a form. Empty text is no number, and
 * what is neither number nor text is left to the schema to refuse.
 */
export function numeric(schema: z.ZodNumber): z.ZodType<number, number | string> {
  return z.preprocess(
    (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
    schema,
  ) as unknown as z.ZodType<number, number | string>;
}

/** An integer that may come as text, in decimal digits. */
export function integer(schema: z.ZodNumber = z.int()): z.ZodType<number, number | string> {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
    schema,
  ) as unknown as z.ZodType<number, number | string>;
}
