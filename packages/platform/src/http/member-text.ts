import type { Base64Text } from './base64-text.ts';
import { TextDecoding } from './text-decoding.ts';

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** The length of `\u0000`. */
const LONGEST_ESCAPE = 6;

/** Decodes the inside of a JSON string, part by part as it arrives, into a text. */
export class MemberText {
  readonly #text: Base64Text;
  readonly #decoding = new TextDecoding({ fatal: true });
  /** The beginning of an escape that was cut off. */
  #held: Buffer = Buffer.alloc(0);
  /** The reason if the text is malformed as UTF-8 or as a JSON string. Nothing of it is decoded after that. */
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
    // Base64 digits need no check. Any other text without escapes may contain characters that JSON does not allow.
    if (!hasEscapes && this.#text.write(text)) return;
    const plain = unescape(text);
    if (plain === null) this.malformed = 'json';
    else if (hasEscapes) this.#text.write(plain);
  }
}

/** Returns null if the text is not the inside of a JSON string. */
function unescape(text: string): string | null {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return null;
  }
}

/** How many bytes at the end are the beginning of an escape. */
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
