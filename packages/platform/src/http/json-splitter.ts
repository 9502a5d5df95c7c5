import type { Base64Text } from './base64-text.ts';
import { JsonPosition, type StringRole } from './json-position.ts';
import { BACKSLASH, endOfString, QUOTE } from './json-tokens.ts';
import { MemberText } from './member-text.ts';

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
  readonly paths: ReadonlySet<string>;
  readonly openText: () => Base64Text;
  /** Receives the document in order, without the extracted texts. */
  readonly keep: (bytes: Uint8Array) => void;
}

/**
 * Extracts the strings at given paths from a JSON document while the document arrives, so that the JSON parser never
 * sees these long texts. In the remaining document, the number of each extracted text replaces the text. The parser of
 * the remaining document finds all syntax errors, except for errors inside the extracted texts, which `malformed`
 * reports.
 */
export class JsonSplitter {
  readonly #options: SplitterOptions;
  readonly #position: JsonPosition;
  readonly #shortestName: number;
  /** The extracted texts by number. Some of them may belong to members that a later member of the name replaces. */
  readonly texts: Base64Text[] = [];
  /** The kind of error in an extracted text; null if all extracted texts are well-formed. */
  malformed: 'utf8' | 'json' | null = null;
  /** The role of the open string; null between strings. */
  #role: StringRole | null = null;
  /** The part of an open name that was in earlier chunks. */
  #name = '';
  #text: MemberText | null = null;
  /** The number of bytes at the beginning of the next chunk that an earlier backslash escapes: 0 or 1. */
  #escaped = 0;
  /** The position in the current chunk behind the bytes that were passed to `keep` or to a text. */
  #passed = 0;

  constructor(options: SplitterOptions) {
    this.#options = options;
    this.#position = new JsonPosition(options.paths);
    const names = [...options.paths].flatMap((path) => path.split('.'));
    this.#shortestName = Math.min(
      ...names.filter((name) => name !== '*').map(({ length }) => length),
    );
  }

  /** The number of values in the document so far. */
  get values(): number {
    return this.#position.values;
  }

  push(chunk: Buffer): void {
    this.#passed = 0;
    let at = this.#role === null ? 0 : this.#readString(chunk, 0);
    while (at < chunk.length) {
      const byte = chunk[at++]!;
      if (byte === QUOTE) at = this.#openString(chunk, at);
      else this.#position.read(byte);
    }
    this.#options.keep(chunk.subarray(this.#passed));
  }

  /** Reads a string from the position after its opening quote. @returns the position after the string */
  #openString(chunk: Buffer, from: number): number {
    this.#role = this.#position.role;
    if (this.#role === 'text') this.#openText(chunk, from);
    return this.#readString(chunk, from);
  }

  #openText(chunk: Buffer, from: number): void {
    const { openText, keep } = this.#options;
    const text = openText();
    keep(chunk.subarray(this.#passed, from));
    keep(Buffer.from(String(this.texts.length)));
    this.texts.push(text);
    this.#text = new MemberText(text);
  }

  /** Reads on in the open string. @returns the position after the string, or the end of the chunk */
  #readString(chunk: Buffer, from: number): number {
    const start = from + this.#escaped;
    const found = this.#role === 'text' ? endOfText(chunk, start) : endOfString(chunk, start);
    this.#escaped = Math.max(found - chunk.length, 0);
    const end = found - this.#escaped;
    const isLast = end < chunk.length;
    if (this.#role === 'text') this.#readText(chunk.subarray(from, end), isLast);
    if (this.#role === 'text') this.#passed = end;
    if (this.#role === 'name') this.#readName(chunk, { from, end, isLast });
    if (!isLast) return end;
    this.#role = null;
    return end + 1;
  }

  #readText(part: Buffer, isLast: boolean): void {
    const text = this.#text!;
    text.write(part, isLast);
    this.malformed ??= text.malformed;
  }

  #readName(chunk: Buffer, part: { from: number; end: number; isLast: boolean }): void {
    const { from, end, isLast } = part;
    const length = this.#name.length + end - from;
    // An escaped name is longer than the name itself, so a short name needs no comparison.
    const isCandidate = length >= this.#shortestName && length <= MAX_NAME_BYTES;
    if (isLast) {
      this.#position.named(
        isCandidate ? nameOf(this.#name + chunk.toString('latin1', from, end)) : null,
      );
      this.#name = '';
    } else if (this.#name.length <= MAX_NAME_BYTES) {
      this.#name += chunk.toString('latin1', from, Math.min(end, from + MAX_NAME_BYTES + 1));
    }
  }
}

/** Returns the same as `endOfString`, faster for a long string without escapes. */
function endOfText(chunk: Buffer, from: number): number {
  const quote = chunk.indexOf(QUOTE, from);
  const end = quote === -1 ? chunk.length : quote;
  const isPlain = from <= end && !chunk.subarray(from, end).includes(BACKSLASH);
  return isPlain ? end : endOfString(chunk, from);
}

/** Decodes a name. Returns null if the name is malformed. */
function nameOf(raw: string): string | null {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return null;
  }
}
