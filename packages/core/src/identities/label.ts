import { DomainError } from '../domain-error.ts';
import { trimWhiteSpace } from '../trim-white-space.ts';

export const MAX_LABEL_CHARACTERS = 200;

/**
 * A character that can be seen: neither white space, nor a character without width, nor a control of the writing
 * direction. U+2800 is the empty Braille pattern, and U+FFF9 to U+FFFB mark annotations.
 */
const VISIBLE =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\ufff9-\ufffb]/u;

/** A text cannot be a label. The message says why. */
export class InvalidLabel extends DomainError {
  readonly code = 'invalid_request';
}

/**
 * Returns the form in which a label is stored and compared: Unicode NFC, without white space at its ends, 1 to 200
 * characters (code points).
 *
 * @throws InvalidLabel if the text is empty, too long or not well-formed, has control characters, or has no visible
 *   character
 */
export function normalizeLabel(text: string): string {
  const label = trimWhiteSpace(text.normalize('NFC'));
  const characters = Array.from(label).length;
  if (characters === 0 || characters > MAX_LABEL_CHARACTERS) {
    throw new InvalidLabel(
      `A label must have 1 to ${MAX_LABEL_CHARACTERS} characters; this one has ${characters}.`,
    );
  }
  if (/\p{Cc}/u.test(label)) throw new InvalidLabel('A label must not contain control characters.');
  if (!label.isWellFormed())
    throw new InvalidLabel('A label must not contain unpaired surrogates.');
  if (!VISIBLE.test(label))
    throw new InvalidLabel('A label must contain at least one visible character.');
  return label;
}
