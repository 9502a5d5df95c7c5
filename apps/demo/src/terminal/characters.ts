const SEGMENTER = new Intl.Segmenter();

/** The grapheme clusters of a text: what a reader counts as its characters. */
export function characters(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}
