import type { IncomingMessage } from 'node:http';

/** Finds where the body of a request ends, in bytes that the HTTP parser has not got yet. */
export interface BodyFraming {
  /** Whether the end was found. */
  readonly isComplete: boolean;
  /** Returns how many of the next received bytes belong to the body. The following call continues behind them. */
  take(bytes: Buffer): number;
}

/** @param request a request whose head the parser has accepted, so its framing is unambiguous */
export function framingOf({ headers }: Pick<IncomingMessage, 'headers'>): BodyFraming {
  const isChunked = headers['transfer-encoding'] !== undefined;
  return isChunked
    ? new ChunkedFraming()
    : new LengthFraming(Number(headers['content-length'] ?? 0));
}

class LengthFraming implements BodyFraming {
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  get isComplete(): boolean {
    return this.#left === 0;
  }

  take(bytes: Buffer): number {
    const taken = Math.min(bytes.length, this.#left);
    this.#left -= taken;
    return taken;
  }
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * The framing of RFC 9112, section 7.1: each chunk has a line with its size, the last chunk is empty, and lines of trailers up
 * to an empty line follow it. It ignores errors, because the parser gets the same bytes
 * next and reports them.
 */
class ChunkedFraming implements BodyFraming {
  #state: 'size' | 'extension' | 'data' | 'trailers' | 'complete' = 'size';
  /** The size of the chunk, as far as its line was read; then the bytes that are left of its data and line end. */
  #size = 0;
  /** Whether the current line of the trailers has no byte besides its line end. */
  #isLineEmpty = true;

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  take(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && !this.isComplete) {
      if (this.#state === 'data') at = this.#skipData(at, bytes.length);
      else this.#readByte(bytes[at++]!);
    }
    return at;
  }

  #skipData(at: number, end: number): number {
    const skipped = Math.min(this.#size, end - at);
    this.#size -= skipped;
    if (this.#size === 0) this.#state = 'size';
    return at + skipped;
  }

  #readByte(byte: number): void {
    if (this.#state === 'trailers') this.#readTrailers(byte);
    else if (byte === LF) this.#endSize();
    else if (this.#state === 'size') this.#readSize(byte);
  }

  #readSize(byte: number): void {
    const digit = Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit)) this.#state = 'extension';
    else this.#size = this.#size * 16 + digit;
  }

  #endSize(): void {
    this.#state = this.#size === 0 ? 'trailers' : 'data';
    // A line end follows the data.
    if (this.#size > 0) this.#size += 2;
  }

  #readTrailers(byte: number): void {
    if (byte === CR) return;
    if (byte !== LF) this.#isLineEmpty = false;
    else if (this.#isLineEmpty) this.#state = 'complete';
    else this.#isLineEmpty = true;
  }
}
