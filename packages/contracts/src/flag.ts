import { z } from 'zod';

const WORDS = new Map<string, boolean>([
  ['true', true],
  ['1', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['off', false],
]);

/** A boolean that may also be text, because queries and forms contain only text. A ticked box of a form is `on`. */
export const flag = z.preprocess((value, context) => {
  if (typeof value !== 'string') return value;
  const known = WORDS.get(value.toLowerCase());
  if (known === undefined) context.addIssue('Expected true or false');
  return known ?? z.NEVER;
}, z.boolean()) as unknown as z.ZodType<boolean, boolean | 'true' | 'false'>;
