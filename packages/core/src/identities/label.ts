import { DomainError } from '../domain-error.ts';
import { trimWhiteSpace } from '../trim-white-space.ts';

export const MAX_LABEL_CHARACTERS = 200;

/** A text cannot be a label. The message says why. */
export class InvalidLabel extends DomainError {
  readonly code = 'invalid_request';
}

/**
 * Returns the form in which a label is stored and compared: Unicode NFC, without white space at its ends, 1 to 200
 * characters (code points).
 *
 * @throws InvalidLabel if the text is empty, too long or not well-formed, or has control characters
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
  return label;
}
