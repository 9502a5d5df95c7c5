import { z } from 'zod';

/**
 * Text of at most so many characters that a database gives back as it was: without the null character
 * and halves of surrogate pairs.
 */
export function storableText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^[^\0]*$/, { error: 'Null characters cannot be stored' })
    .refine((text) => text.isWellFormed(), { error: 'Halves of surrogate pairs cannot be stored' });
}

/** An opaque reference of the caller's; an empty one is none. */
export const externalRef = storableText(1000)
  .nullish()
  .transform((text) => (text === '' || text === null ? undefined : text));
