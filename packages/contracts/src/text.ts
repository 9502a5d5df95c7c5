import { z } from 'zod';

/** Text of limited length that a database stores unchanged: no null characters, no unpaired surrogates. */
export function storableText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^[^\0]*$/, { error: 'Null characters cannot be stored' })
    .refine((text) => text.isWellFormed(), { error: 'Unpaired surrogates cannot be stored' });
}

/** Maximum length of a text to search for before trimming; after it, 200 characters are allowed. */
const MAX_GIVEN_SEARCH = 1000;

/** A text to search for. */
export const searchText = storableText(MAX_GIVEN_SEARCH);

/** The caller's own reference to a record; empty text counts as none. */
export const externalRef = storableText(1000)
  .nullish()
  .transform((text) => (text === '' || text === null ? undefined : text));
