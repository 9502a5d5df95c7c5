import { storableText } from '../text.ts';

/** Maximum length of a text before trimming; after it, 200 characters are allowed. */
const MAX_GIVEN_TEXT = 1000;

/** A text that names are searched for. */
export const searchText = storableText(MAX_GIVEN_TEXT);
