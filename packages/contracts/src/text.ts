import { z } from 'zod';

/** Text of limited length without null characters and unpaired surrogates, which the database cannot store. */
export function storableText(maxLength: number, tooLong?: string) {
  return (
    z
      .string()
      .max(maxLength, tooLong)
      // oxlint-disable-next-line no-control-regex -- other readers of the OpenAPI document do not know \0
      .regex(/^[^\u0000]*$/, { error: 'Null characters cannot be stored' })
      .refine((text) => text.isWellFormed(), { error: 'Unpaired surrogates cannot be stored' })
  );
}

/** The form of an http or https address in the OpenAPI document; the service checks the address when it uses it. */
export const HTTP_ADDRESS = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\u0000-\\u001f\\u007f-\\u009f]+$';

/** The maximum length of a search text before trimming. A trimmed text may have 200 characters. */
const MAX_GIVEN_SEARCH = 1000;

/** The length of labels and search texts after trimming, which the OpenAPI document states instead of that before. */
export const TRIMMED_LENGTH = { minLength: 1, maxLength: 200 } as const;

export const searchText = storableText(
  MAX_GIVEN_SEARCH,
  'A text to search for must have 1 to 200 characters',
);

/** The caller's own reference to a record. An empty text means that the record has no reference. */
export const externalRef = storableText(1000)
  .nullish()
  .transform((text) => (text === '' || text === null ? undefined : text));
