/** A text with one object a line, as the service will read it. */
export interface Vocabulary {
  /** The objects, each once. */
  readonly phrases: readonly string[];
  /** The objects that occur more than once. */
  readonly repeated: readonly string[];
  /** The number of lines without a text. */
  readonly blanks: number;
}

/** Reads the lines of a text. An empty text has no blank lines. */
export function readVocabulary(text: string): Vocabulary {
  const lines = text === '' ? [] : text.split(/\r?\n/).map((line) => line.trim());
  const filled = lines.filter((line) => line !== '');
  return {
    phrases: [...new Set(filled)],
    repeated: [...new Set(filled.filter((line, index) => filled.indexOf(line) !== index))],
    blanks: lines.length - filled.length,
  };
}
