import { createHash, type Hash } from 'node:crypto';
import { KeptBytes } from './kept-bytes.ts';

/** The beginning of a data URI (RFC 2397). The media type is ignored, because the bytes decide the format. */
const DATA_URI = /^\s*data:([^,]*),/i;
const IN_BASE64 = /;\s*base64\s*$/i;
/** The number of characters that are searched for the beginning of a data URI. */
const HEAD_LENGTH = 256;
const MAX_PADDING = 2;
const PERCENT = 0x25;
/** The digits of the standard and of the URL-safe base64 alphabet. */
const DIGITS = /^[\w+/-]*$/;

export interface Base64Options {
  /** The maximum number of decoded bytes to keep. For a longer text, only the length is available. */
  readonly maxBytes: number;
  /** Whether to compute the SHA-256 of the text. */
  readonly digests?: boolean;
  /** Called before decoded bytes are kept. An error that it throws ends the decoding. */
  readonly reserve?: (bytes: number) => void;
}

/**
 * Decodes an image in base64 (RFC 4648) or in a data URI while the text arrives. The standard and the URL-safe
 * alphabet are accepted. Padding is optional, and white space may occur anywhere. A data URI may be percent-encoded, in
 * base64 or without it.
 */
export class Base64Text {
  readonly #maxBytes: number;
  readonly #reserve: (bytes: number) => void;
  readonly #hash: Hash | null;
  readonly #kept = new KeptBytes();
  /** The beginning of the text. It is null after enough characters have arrived to recognize a data URI. */
  #head: string | null = '';
  #encoding: 'base64' | 'base64 in a URI' | 'percent' = 'base64';
  /** The beginning of a percent-encoded byte whose rest is in the next piece. */
  #escape = '';
  /** The last digits, which do not form whole bytes yet. */
  #digits = '';
  #padding = 0;
  #size = 0;
  #isValid = true;
  #isBlank = true;

  constructor({ maxBytes, digests = false, reserve = () => undefined }: Base64Options) {
    this.#maxBytes = maxBytes;
    this.#reserve = reserve;
    this.#hash = digests ? createHash('sha256') : null;
  }

  static of(text: string, options: Base64Options): Base64Text {
    const base64 = new Base64Text(options);
    base64.write(text);
    base64.end();
    return base64;
  }

  /** Whether the text so far is valid base64. */
  get isValid(): boolean {
    return this.#isValid;
  }

  /** Whether the text is empty or has only white space. */
  get isBlank(): boolean {
    return this.#isBlank;
  }

  /** The number of decoded bytes, which may exceed `maxBytes`. */
  get size(): number {
    return this.#size;
  }

  get tooLarge(): boolean {
    return this.#size > this.#maxBytes;
  }

  /** The SHA-256 of the text in UTF-8; null unless `digests` is set. */
  digest(): Uint8Array | null {
    return this.#hash?.copy().digest() ?? null;
  }

  /** Adds a piece of the text. Returns true if the piece is known to contain only digits and padding. */
  write(text: string): boolean {
    this.#hash?.update(text);
    this.#isBlank &&= text.trim() === '';
    if (this.#head === null) return this.#decode(text);
    this.#head += text;
    if (this.#head.length >= HEAD_LENGTH) this.#passHead(this.#head);
    return false;
  }

  end(): void {
    if (this.#head !== null) this.#passHead(this.#head);
    if (this.#escape !== '') this.#refuse();
    if (this.#padding > MAX_PADDING || !this.#keep(this.#digits)) this.#refuse();
  }

  /** Returns the decoded bytes in a new buffer. Must be called at most once. */
  read(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#kept.take();
  }

  #passHead(head: string): void {
    this.#head = null;
    const [beginning = '', mediaType] = DATA_URI.exec(head.slice(0, HEAD_LENGTH)) ?? [];
    if (mediaType !== undefined) {
      this.#encoding = IN_BASE64.test(mediaType) ? 'base64 in a URI' : 'percent';
    }
    this.#decode(head.slice(beginning.length));
  }

  #decode(text: string): boolean {
    if (!this.#isValid) return false;
    if (this.#encoding === 'base64') return this.#decodeDigits(text);
    const isPlain = this.#escape === '' && !text.includes('%');
    if (this.#encoding === 'base64 in a URI' && isPlain) return this.#decodeDigits(text);
    this.#decodePercents(text);
    return false;
  }

  #decodePercents(text: string): void {
    const all = this.#escape + text;
    this.#escape = /%[\da-f]?$/i.exec(all)?.[0] ?? '';
    const whole = all.slice(0, all.length - this.#escape.length);
    const bytes = percentDecoded(whole);
    if (bytes === null) this.#refuse();
    else if (this.#encoding === 'percent') this.#keepBytes(bytes);
    else this.#decodeDigits(bytes.toString('latin1'));
  }

  #decodeDigits(text: string): boolean {
    if (this.#take(text)) return true;
    // The text is copied without white space only if the first attempt fails, because white space is rare and texts
    // are long.
    if (!this.#take(text.replace(/\s+/g, ''))) this.#refuse();
    return false;
  }

  /**
   * Decodes a text that consists of digits and optional padding. Returns false and decodes nothing for any other
   * text.
   */
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
   * Decodes digits. Returns false if a character is outside the alphabet. Node skips such a character, so the result
   * has fewer bytes than expected. Non-ASCII characters are checked first, because Node may decode their low byte as
   * a digit.
   */
  #keep(digits: string): boolean {
    if (digits.length % 4 === 1 || Buffer.byteLength(digits) !== digits.length) return false;
    const length = Math.floor((digits.length * 3) / 4);
    if (length === 0) return true;
    const bytes = Buffer.allocUnsafe(length);
    if (bytes.write(digits, 'base64') !== length) return false;
    this.#keepBytes(bytes);
    return true;
  }

  #keepBytes(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.tooLarge) {
      this.#kept.clear();
    } else {
      this.#reserve(bytes.length);
      this.#kept.push(bytes);
    }
  }

  #refuse(): void {
    this.#isValid = false;
    this.#kept.clear();
  }
}

/** Decodes percent-encoded bytes. Returns null if an escape is malformed, or if a character is not ASCII. */
function percentDecoded(text: string): Buffer | null {
  if (Buffer.byteLength(text) !== text.length) return null;
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at]!;
    if (byte === PERCENT) {
      byte = 16 * hexDigit(bytes[at + 1]) + hexDigit(bytes[at + 2]);
      if (Number.isNaN(byte)) return null;
      at += 2;
    }
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

/** The value of a hexadecimal digit in ASCII; NaN for any other byte. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN;
}

function paddingOf(text: string): number {
  let end = text.length;
  while (end > 0 && text[end - 1] === '=') end--;
  return text.length - end;
}
