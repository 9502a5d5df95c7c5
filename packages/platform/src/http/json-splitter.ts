import type { Base64Text } from './base64-text.ts';
import { JsonPosition } from './json-position.ts';
import { MemberText } from './member-text.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
/**
 * The maximum length of a name that is compared with the paths. Even with all characters escaped, a name in a path is
 * shorter.
 */
const MAX_NAME_BYTES = 400;

export interface SplitterOptions {
  /**
   * The paths of the texts to extract. `image` is a member of the outermost object, and `images.*.image` is a member of
   * each object in an array.
   */
  readonly paths: Iterable<string>;
  readonly openText: () => Base64Text;
  /** Receives the document in order, without the extracted texts. */
  readonly keep: (bytes: Uint8Array) => void;
}

/** The reader of a string that arrives in parts. */
interface StringToken {
  /** @param isLast whether the string ends with this part */
  write(part: Buffer, isLast: boolean): void;
}

/**
 * Extracts the strings at given paths from a JSON document while the document arrives, so that the JSON parser never
 * sees these long texts. In the remaining document, an empty string replaces each extracted text. The parser of the
 * remaining document finds all syntax errors, except for errors inside the extracted texts, which `malformed` reports.
 */
export class JsonSplitter {
  readonly #options: SplitterOptions;
  readonly #position: JsonPosition;
  /**
   * The extracted texts by path, such as `images.3.image`. If an object has several members with the same name, the
   * last member counts, as in JSON.parse.
   */
  readonly texts = new Map<string, Base64Text>();
  /** The kind of error in an extracted text; null if all extracted texts are well-formed. */
  malformed: 'utf8' | 'json' | null = null;
  #string: StringToken | null = null;
  /** Whether the last byte was a backslash, which escapes the next byte. */
  #isEscaped = false;

  constructor(options: SplitterOptions) {
    this.#options = options;
    this.#position = new JsonPosition(options.paths);
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      at = this.#string === null ? this.#passStructure(chunk, at) : this.#passString(chunk, at);
    }
  }

  /** Reads the chunk up to the beginning of the next string, and returns the position after it. */
  #passStructure(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && this.#string === null) this.#readStructure(chunk[at++]!);
    this.#options.keep(chunk.subarray(from, at));
    return at;
  }

  #readStructure(byte: number): void {
    if (byte === QUOTE) this.#string = this.#openString();
    else if (byte === BRACE) this.#position.enter('object');
    else if (byte === BRACKET) this.#position.enter('array');
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) this.#position.leave();
    else if (byte === COMMA) this.#position.endItem();
    else if (byte === COLON && this.#position.beginMember()) this.#forget(this.#position.path);
  }

  /** Drops the texts of an earlier member with the same name, because the last member counts. */
  #forget(path: string): void {
    for (const known of this.texts.keys()) {
      if (known === path || known.startsWith(`${path}.`)) this.texts.delete(known);
    }
  }

  #openString(): StringToken {
    switch (this.#position.role) {
      case 'name':
        return this.#openName();
      case 'text':
        return this.#openText(this.#position.path);
      case 'other':
        return { write: this.#options.keep };
    }
  }

  #openName(): StringToken {
    let raw = '';
    return {
      write: (part, isLast) => {
        this.#options.keep(part);
        if (raw.length <= MAX_NAME_BYTES) raw += part.toString('latin1', 0, MAX_NAME_BYTES + 1);
        if (isLast) this.#position.named(nameOf(raw));
      },
    };
  }

  #openText(path: string): StringToken {
    const text = this.#options.openText();
    const parts = new MemberText(text);
    return {
      write: (part, isLast) => {
        parts.write(part, isLast);
        this.malformed ??= parts.malformed;
        if (isLast) this.texts.set(path, text);
      },
    };
  }

  #passString(chunk: Buffer, from: number): number {
    const end = this.#findEnd(chunk, from);
    const isLast = end < chunk.length;
    this.#string!.write(chunk.subarray(from, end), isLast);
    if (!isLast) return end;
    this.#string = null;
    this.#options.keep(chunk.subarray(end, end + 1));
    return end + 1;
  }

  /** The position of the closing quote; the length of the chunk if the chunk contains no closing quote. */
  #findEnd(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    let quote = positionOf(QUOTE, chunk, at, chunk.length);
    for (;;) {
      const escape = positionOf(BACKSLASH, chunk, at, quote);
      if (escape === quote) break;
      at = escape + 2;
      if (quote < at) quote = positionOf(QUOTE, chunk, at, chunk.length);
    }
    this.#isEscaped = at > chunk.length;
    return quote;
  }
}

/** The first position of a byte from `from` up to, but not including, `to`; `to` if the byte does not occur. */
// eslint-disable-next-line max-params -- a hot loop, in which allocating an object per call would be slow
function positionOf(byte: number, chunk: Buffer, from: number, to: number): number {
  if (from >= to) return to;
  const found = chunk.subarray(from, to).indexOf(byte);
  return found === -1 ? to : from + found;
}

/** Decodes a name. Returns null if the name is malformed. */
function nameOf(raw: string): string | null {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return null;
  }
}
