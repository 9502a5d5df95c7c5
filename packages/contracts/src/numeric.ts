import { z } from 'zod';

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const DECIMAL = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A number, or text in decimal digits such as `-0.25`, `.5` and `1e-1`, because queries and forms contain only text. */
export function numeric(schema: z.ZodNumber): z.ZodType<number, number | string> {
  return orText(DECIMAL, schema, 'Expected a number, such as 0.5');
}

/** An integer, or text in decimal digits, because paths, queries and forms contain only text. */
export function integer(schema: z.ZodNumber = z.int()): z.ZodType<number, number | string> {
  return orText(INTEGER, schema, 'Expected a whole number, such as 50');
}

/**
 * Converts text that matches the pattern to a number, and refuses other text. The pattern is needed because `Number`
 * also accepts hexadecimal digits, spaces and empty text.
 */
function orText(
  form: RegExp,
  schema: z.ZodNumber,
  expectation: string,
): z.ZodType<number, number | string> {
  return z.preprocess((value, context) => {
    if (typeof value !== 'string') return value;
    if (form.test(value)) return Number(value);
    context.addIssue(expectation);
    return z.NEVER;
  }, schema) as unknown as z.ZodType<number, number | string>;
}
