import type { Base64Text } from './base64-text.ts';
import { TextDecoding } from './text-decoding.ts';

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** The length of the longest escape, such as `\u0000`. */
const LONGEST_ESCAPE = 6;

/** Decodes the content of a JSON string that arrives in parts, and writes it to a `Base64Text`. */
export class MemberText {
  readonly #text: Base64Text;
  readonly #decoding = new TextDecoding({ fatal: true });
  /** The beginning of an escape whose rest is in the next part. */
  #held: Buffer = Buffer.alloc(0);
  /**
   * The kind of the first error in the text; null if the text is well-formed so far. Decoding stops at the first
   * error.
   */
  malformed: 'utf8' | 'json' | null = null;

  constructor(text: Base64Text) {
    this.#text = text;
  }

  write(part: Buffer, isLast: boolean): void {
    const bytes = this.#held.length === 0 ? part : Buffer.concat([this.#held, part]);
    const end = isLast ? bytes.length : bytes.length - cutOffEscape(bytes);
    this.#held = Buffer.from(bytes.subarray(end));
    if (this.malformed === 'utf8') return;
    const decoded = this.#decode(bytes.subarray(0, end), isLast);
    if (decoded === null) this.malformed = 'utf8';
    else if (this.malformed === null) this.#pass(decoded, bytes.includes(BACKSLASH));
    if (isLast) this.#text.end();
  }

  /** Returns null if the bytes are malformed. */
  #decode(bytes: Buffer, isLast: boolean): string | null {
    try {
      return this.#decoding.decode(bytes) + (isLast ? this.#decoding.end() : '');
    } catch {
      return null;
    }
  }

  #pass(text: string, hasEscapes: boolean): void {
    // A text of base64 digits needs no check. Any other text may contain characters that are invalid in JSON.
    if (!hasEscapes && this.#text.write(text)) return;
    const plain = unescape(text);
    if (plain === null) this.malformed = 'json';
    else if (hasEscapes) this.#text.write(plain);
  }
}

/** Returns null if the text is not valid as the content of a JSON string. */
function unescape(text: string): string | null {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return null;
  }
}

/** The number of bytes at the end that begin an incomplete escape. */
function cutOffEscape(bytes: Buffer): number {
  const start = bytes.lastIndexOf(BACKSLASH);
  const length = bytes.length - start;
  if (start === -1 || length >= LONGEST_ESCAPE) return 0;
  let run = 1;
  while (bytes[start - run] === BACKSLASH) run++;
  const begins = run % 2 === 1;
  const isComplete = length > 1 && bytes[start + 1] !== LOWER_U;
  return begins && !isComplete ? length : 0;
}
