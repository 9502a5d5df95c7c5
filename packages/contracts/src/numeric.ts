import { z } from 'zod';

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A number that may arrive as text, from a query or a form: in decimal digits, as `-0.25`. */
export function numeric(schema: z.ZodNumber): z.ZodType<number, number | string> {
  return orText(DECIMAL, schema);
}

/** An integer that may arrive as text, from a path, a query or a form: in decimal digits. */
export function integer(schema: z.ZodNumber = z.int()): z.ZodType<number, number | string> {
  return orText(INTEGER, schema);
}

/**
 * Text in the given form becomes a number; the schema refuses other text. `Number` alone would also
 * take hexadecimal digits, exponents, spaces and empty text.
 */
function orText(form: RegExp, schema: z.ZodNumber): z.ZodType<number, number | string> {
  return z.preprocess(
    (value) => (typeof value === 'string' && form.test(value) ? Number(value) : value),
    schema,
  ) as unknown as z.ZodType<number, number | string>;
}
