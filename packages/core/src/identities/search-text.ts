import { DomainError } from '../domain-error.ts';
import { trimWhiteSpace } from '../trim-white-space.ts';

export const MAX_SEARCH_CHARACTERS = 200;

/** A text cannot be searched for. The message says why. */
export class InvalidSearchText extends DomainError {
  readonly code = 'invalid_request';
}

/**
 * Trims a text to search for, and checks that it has 1 to 200 characters (code points).
 *
 * @throws InvalidSearchText if the text is empty or too long
 */
export function requireSearchText(given: string): string {
  const text = trimWhiteSpace(given);
  const characters = Array.from(text).length;
  if (characters > 0 && characters <= MAX_SEARCH_CHARACTERS) return text;
  throw new InvalidSearchText(
    `q: a text to search for must have 1 to ${MAX_SEARCH_CHARACTERS} characters; this one has ${characters}.`,
  );
}
