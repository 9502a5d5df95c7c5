import { z } from 'zod';

/** Text of at most so many characters that a database can hold: without the null character. */
export function storableText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^[^\0]*$/, { error: 'Null characters cannot be stored' });
}

/** An opaque reference of the caller's; an empty one is none. */
export const externalRef = storableText(1000)
  .nullish()
  .transform((text) => (text === '' || text === null ? undefined : text));
