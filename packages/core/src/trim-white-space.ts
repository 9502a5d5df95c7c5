const WHITE_SPACE = /^\p{White_Space}$/u;

/**
 * Removes white space from both ends: the characters with the Unicode property White_Space. Unlike `trim`, this removes
 * U+0085, and keeps the zero-width U+FEFF.
 */
export function trimWhiteSpace(text: string): string {
  let [start, end] = [0, text.length];
  // No white space is a surrogate pair, so single units are tested. A pattern for both ends would need quadratic time for
  // a long run of white space.
  while (start < end && WHITE_SPACE.test(text[start]!)) start += 1;
  while (end > start && WHITE_SPACE.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}
