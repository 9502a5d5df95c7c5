import { type Buffer, isAscii } from 'node:buffer';

/** Decodes UTF-8 that arrives in parts, with a fast path for ASCII. */
export class TextDecoding {
  readonly #fatal: boolean;
  #decoder: InstanceType<typeof TextDecoder> | null = null;

  /**
   * @param options.fatal whether malformed UTF-8 throws a TypeError. If false, malformed bytes are replaced by
   *   U+FFFD.
   */
  constructor({ fatal }: { readonly fatal: boolean }) {
    this.#fatal = fatal;
  }

  decode(part: Buffer): string {
    if (this.#decoder === null) {
      if (isAscii(part)) return part.toString('latin1');
      this.#decoder = new TextDecoder('utf-8', { fatal: this.#fatal, ignoreBOM: true });
    }
    return this.#decoder.decode(part, { stream: true });
  }

  /** Ends the decoding. Returns U+FFFD if the last character is incomplete, else an empty text. */
  end(): string {
    return this.#decoder?.decode() ?? '';
  }
}
