import { z } from 'zod';

const WORDS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['off', false],
]);

/** A boolean that may also be text, because queries and forms contain only text. A ticked box of a form is `on`. */
export const flag = z.preprocess(
  (value) => WORDS.get(typeof value === 'string' ? value.toLowerCase() : value) ?? value,
  z.boolean(),
) as unknown as z.ZodType<boolean, boolean | 'true' | 'false'>;
