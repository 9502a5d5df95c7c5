import { type Buffer, isAscii } from 'node:buffer';

/** Decodes UTF-8 that arrives in parts; ASCII is copied. */
export class TextDecoding {
  readonly #fatal: boolean;
  #decoder: InstanceType<typeof TextDecoder> | null = null;

  /** @param options.fatal whether malformed UTF-8 throws a TypeError; else it is replaced */
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

  /** The replacement of a cut-off character at the end, if there is one. */
  end(): string {
    return this.#decoder?.decode() ?? '';
  }
}
