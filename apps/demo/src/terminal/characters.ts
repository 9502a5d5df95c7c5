const SEGMENTER = new Intl.Segmenter();

/** What a person counts as the characters of a text. */
export function characters(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}
