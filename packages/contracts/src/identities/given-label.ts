import { z } from 'zod';
import { TRIMMED_LENGTH } from '../text.ts';

/** The maximum length of a label before trimming. A trimmed label may have 200 characters. */
const MAX_GIVEN_LABEL = 1000;

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

/** Ranges instead of Unicode's properties, which the regular expressions of other languages lack. */
const INVISIBLE =
  '\\s\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb';

const LABEL_FORM = `^[^${CONTROL}]*[^${CONTROL}${INVISIBLE}][^${CONTROL}]*$`;

/** The label that a client gives an identity or a webhook. */
export const givenLabel = z
  .string()
  .max(MAX_GIVEN_LABEL, 'A label must have 1 to 200 characters')
  .meta({
    ...TRIMMED_LENGTH,
    pattern: LABEL_FORM,
    description:
      '1 to 200 characters without control characters, at least one of them visible. Leading and trailing white space is removed; characters without width are kept.',
  });
