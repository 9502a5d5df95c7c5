/** The bytes that structure a JSON document. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSING_BRACKET = 0x5d;
export const BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;

/**
 * The position of the closing quote of a string; the length of the chunk if the chunk does not contain it; one more if
 * the chunk ends with a backslash that escapes the next byte.
 */
export function endOfString(chunk: Buffer, from: number): number {
  let at = from;
  while (at < chunk.length) {
    const byte = chunk[at]!;
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return at;
}
