import { createHash, type Hash } from 'node:crypto';
import { KeptBytes } from './kept-bytes.ts';

const DATA_URI = /^data:image\/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64,/i;
/** Number of characters at the beginning that may contain the head of a data URI. */
const HEAD_LENGTH = 256;
const MAX_PADDING = 2;
/** The digits of both base64 alphabets. */
const DIGITS = /^[\w+/-]*$/;

export interface Base64Options {
  /** The maximum number of decoded bytes to keep. If a text is longer, only its length is known. */
  readonly maxBytes: number;
  /** Whether the text is hashed as it arrives. */
  readonly digests?: boolean;
  /** Called before decoded bytes are kept; may throw. */
  readonly reserve?: (bytes: number) => void;
}

/**
 * An image as text, decoded as it arrives: base64 (RFC 4648), or a data URI of an image in base64. The
 * standard and the URL-safe alphabet are accepted; padding is optional, and white space may be anywhere.
 */
export class Base64Text {
  readonly #maxBytes: number;
  readonly #reserve: (bytes: number) => void;
  readonly #hash: Hash | null;
  readonly #kept = new KeptBytes();
  /** The beginning of the text, until it is long enough to recognize a data URI; then null. */
  #head: string | null = '';
  /** Digits that do not form whole bytes yet. */
  #digits = '';
  #padding = 0;
  #size = 0;
  #isValid = true;

  constructor({ maxBytes, digests = false, reserve = () => undefined }: Base64Options) {
    this.#maxBytes = maxBytes;
    this.#reserve = reserve;
    this.#hash = digests ? createHash('sha256') : null;
  }

  /** Decodes a whole text. */
  static of(text: string, options: Base64Options): Base64Text {
    const base64 = new Base64Text(options);
    base64.write(text);
    base64.end();
    return base64;
  }

  /** Whether the text is base64 at all. */
  get isValid(): boolean {
    return this.#isValid;
  }

  /** Decoded bytes, also of a text that is too long. */
  get size(): number {
    return this.#size;
  }

  get tooLarge(): boolean {
    return this.#size > this.#maxBytes;
  }

  /** SHA-256 of the text in UTF-8, after its end; null unless `digests` is set. */
  digest(): Uint8Array | null {
    return this.#hash?.copy().digest() ?? null;
  }

  /** Returns true if the text is known to be nothing but digits and padding. */
  write(text: string): boolean {
    this.#hash?.update(text);
    if (this.#head === null) return this.#decode(text);
    this.#head += text;
    if (this.#head.length >= HEAD_LENGTH) this.#passHead(this.#head);
    return false;
  }

  end(): void {
    if (this.#head !== null) this.#passHead(this.#head);
    if (this.#padding > MAX_PADDING || !this.#keep(this.#digits)) this.#refuse();
  }

  /** The decoded bytes in a buffer of their own, once. */
  read(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#kept.take();
  }

  #passHead(head: string): void {
    this.#head = null;
    this.#decode(head.slice(DATA_URI.exec(head.slice(0, HEAD_LENGTH))?.[0].length ?? 0));
  }

  #decode(text: string): boolean {
    if (!this.#isValid) return false;
    if (this.#take(text)) return true;
    // White space is rare and texts are long: they are copied only if there is any.
    if (!this.#take(text.replace(/\s+/g, ''))) this.#refuse();
    return false;
  }

  /** Decodes a text of digits with padding at the end; returns false for any other, and decodes nothing. */
  #take(text: string): boolean {
    const end = text.length - paddingOf(text);
    if (end > 0 && this.#padding > 0) return false;
    const digits = this.#digits + text.slice(0, end);
    const whole = digits.length - (digits.length % 4);
    const rest = digits.slice(whole);
    if (!DIGITS.test(rest) || !this.#keep(digits.slice(0, whole))) return false;
    this.#digits = rest;
    this.#padding += text.length - end;
    return true;
  }

  /**
   * Decodes digits; returns false if some of them are outside the alphabet. Node skips such characters, so the result
   * has fewer bytes than expected. It may take the low byte of a non-ASCII character for a digit, so those are
   * checked first.
   */
  #keep(digits: string): boolean {
    if (digits.length % 4 === 1 || Buffer.byteLength(digits) !== digits.length) return false;
    const length = Math.floor((digits.length * 3) / 4);
    if (length === 0) return true;
    const bytes = Buffer.allocUnsafe(length);
    if (bytes.write(digits, 'base64') !== length) return false;
    this.#size += length;
    if (this.tooLarge) {
      this.#kept.clear();
    } else {
      this.#reserve(length);
      this.#kept.push(bytes);
    }
    return true;
  }

  #refuse(): void {
    this.#isValid = false;
    this.#kept.clear();
  }
}

function paddingOf(text: string): number {
  let end = text.length;
  while (end > 0 && text[end - 1] === '=') end--;
  return text.length - end;
}
