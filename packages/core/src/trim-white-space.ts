const WHITE_SPACE = /^\p{White_Space}$/u;

/**
 * The text without white space around it: the characters with the Unicode property White_Space. Unlike
 * `trim`, this includes U+0085, and keeps U+FEFF, which has no width, like other characters without one.
 */
export function trimWhiteSpace(text: string): string {
  let [start, end] = [0, text.length];
  // White space has no surrogate pairs. One pattern for both ends would take quadratic time in the
  // length of a run.
  while (start < end && WHITE_SPACE.test(text[start]!)) start += 1;
  while (end > start && WHITE_SPACE.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}
