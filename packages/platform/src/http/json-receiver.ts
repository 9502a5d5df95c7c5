import { Base64Text } from './base64-text.ts';
import { type BodyShare, tooManyBodies } from './body-memory.ts';
import { HttpError } from './http-errors.ts';
import { JsonSplitter } from './json-splitter.ts';
import { BRACE, BRACKET, COMMA, endOfString, QUOTE } from './json-tokens.ts';

const PROTO = /__proto__|\\u005f/i;
const SURROGATE = /\\ud[89a-f]/i;
/** The maximum size of the document without its images. */
const MAX_PARSED_BYTES = 1024 ** 2;
/**
 * The maximum number of values in the document, more than twice as many as any request needs. Together with the maximum
 * size it bounds the time of parsing to some milliseconds, because that time depends mostly on the number of values.
 */
const MAX_VALUES = 10_000;
const FIRST_BYTES = 4096;
/** The maximum number of image texts, more than any request needs. Texts with a repeated name count, too. */
const MAX_TEXTS = 1_000;
/** The memory that a text needs in addition to its bytes, for objects and for the unused part of the first block. */
const TEXT_COSTS_BYTES = 1024;

export interface JsonBody {
  /** The parsed document without the image texts. */
  readonly value: unknown;
  /** The image texts by path, such as `image` or `images.3.image`. */
  readonly texts: ReadonlyMap<string, Base64Text>;
}

/** The members of a document that contain images in base64. */
export interface TextMembers {
  /**
   * The paths of the members. `image` is a member of the outermost object; `images.*.image` is a member of each
   * object in the array `images`.
   */
  readonly paths: ReadonlySet<string>;
  /**
   * The maximum number of decoded bytes of a text. A longer text does not fail the body, but only its length is
   * available.
   */
  readonly maxBytes: number;
  /** Whether to compute the SHA-256 of each text. */
  readonly digests: boolean;
}

export interface ReceiverLimits {
  /** The maximum size of the document in bytes. */
  readonly maxBytes: number;
  /** The reservation to which kept bytes are added. */
  readonly memory: BodyShare | undefined;
}

/** Parses a JSON document that arrives in pieces, and decodes its images while they arrive. */
export class JsonReceiver {
  readonly #limits: ReceiverLimits;
  readonly #paths: ReadonlySet<string>;
  /** Null if the document has no images. Its bytes are then not read before the document is complete. */
  readonly #splitter: JsonSplitter | null;
  /** A growing buffer with the document's bytes except for the image texts. */
  #parsed = Buffer.allocUnsafe(FIRST_BYTES);
  #parsedBytes = 0;
  #received = 0;
  #texts = 0;

  constructor(members: TextMembers, limits: ReceiverLimits) {
    this.#limits = limits;
    this.#paths = members.paths;
    this.#splitter =
      members.paths.size === 0
        ? null
        : new JsonSplitter({
            paths: members.paths,
            openText: () => this.#openText(members),
            keep: (bytes) => this.#keep(bytes),
          });
  }

  /** @throws HttpError body_too_large, too_many_parts, overloaded */
  push(chunk: Buffer): void {
    this.#received += chunk.length;
    const { maxBytes } = this.#limits;
    if (this.#received > maxBytes) {
      throw new HttpError('body_too_large', `The decoded body is larger than ${maxBytes} bytes.`);
    }
    if (this.#splitter === null) {
      this.#keep(chunk);
    } else {
      this.#splitter.push(chunk);
      if (this.#splitter.values > MAX_VALUES) throw tooManyValues();
    }
  }

  /** The number of bytes that `finish` parses. */
  get parsedBytes(): number {
    return this.#parsedBytes;
  }

  /** @throws HttpError invalid_json, body_too_large */
  finish(): JsonBody {
    if (this.#received === 0) throw new HttpError('invalid_json', 'The body is empty.');
    const { malformed = null, texts: numbered = [] } = this.#splitter ?? {};
    if (malformed === 'utf8') throw notUtf8();
    const bytes = this.#parsed.subarray(0, this.#parsedBytes);
    const document = decodeUtf8(bytes);
    if (malformed === 'json') throw notJson();
    if (this.#splitter === null && hasMoreValues(bytes, MAX_VALUES)) throw tooManyValues();
    const value = parseJson(document);
    const texts: JsonBody['texts'] = new Map(
      [...this.#paths].flatMap((path) => takeTexts(value, path.split('.'), numbered)),
    );
    return { value, texts };
  }

  /** @throws HttpError too_many_parts, overloaded */
  #openText({ maxBytes, digests }: TextMembers): Base64Text {
    this.#texts += 1;
    if (this.#texts > MAX_TEXTS) {
      throw new HttpError('too_many_parts', `The body has more than ${MAX_TEXTS} images.`);
    }
    this.#reserve(TEXT_COSTS_BYTES);
    return new Base64Text({ maxBytes, digests, reserve: (bytes) => this.#reserve(bytes) });
  }

  #keep(bytes: Uint8Array): void {
    const end = this.#parsedBytes + bytes.length;
    if (end > MAX_PARSED_BYTES) {
      const images = this.#paths.size === 0 ? '' : ` outside of ${[...this.#paths].join(' and ')}`;
      const limit = `${MAX_PARSED_BYTES} bytes${images}`;
      throw new HttpError('body_too_large', `The body has more than ${limit}.`);
    }
    this.#reserve(bytes.length);
    if (end > this.#parsed.length) {
      this.#parsed = Buffer.concat([this.#parsed], Math.max(end, 2 * this.#parsed.length));
    }
    this.#parsed.set(bytes, this.#parsedBytes);
    this.#parsedBytes = end;
  }

  #reserve(bytes: number): void {
    if (this.#limits.memory?.add(bytes) === false) throw tooManyBodies();
  }
}

/**
 * Removes the texts at a path from the parsed document. Each string at the path is the number of an extracted text.
 *
 * @returns the texts by path
 */
function takeTexts(
  value: unknown,
  [step = '', ...rest]: readonly string[],
  numbered: readonly Base64Text[],
): [string, Base64Text][] {
  if (step === '*') {
    const items: unknown[] = Array.isArray(value) ? value : [];
    return items.flatMap((item, index) => under(index, takeTexts(item, rest, numbered)));
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return [];
  const member = value[step];
  if (rest.length > 0) return under(step, takeTexts(member, rest, numbered));
  if (typeof member !== 'string') return [];
  Reflect.deleteProperty(value, step);
  return [[step, numbered[Number(member)]!]];
}

function under(step: string | number, texts: [string, Base64Text][]): [string, Base64Text][] {
  return texts.map(([path, text]) => [`${step}.${path}`, text]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw notUtf8(cause);
  }
}

/**
 * Whether a document has more values than a limit, by its commas and opening brackets. Reads no further than needed to
 * decide that.
 */
function hasMoreValues(document: Buffer, limit: number): boolean {
  let count = 1;
  for (let at = 0; at < document.length; at++) {
    const byte = document[at]!;
    if (byte === QUOTE) at = endOfString(document, at + 1);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1;
    if (count > limit) return true;
  }
  return false;
}

function parseJson(text: string): unknown {
  try {
    // A reviver visits every value and is slow, so it runs only if the text may contain `__proto__` or a surrogate.
    const needsReview = PROTO.test(text) || SURROGATE.test(text);
    return needsReview ? JSON.parse(text, review) : JSON.parse(text);
  } catch (cause) {
    throw cause instanceof HttpError ? cause : notJson(cause);
  }
}

/** A reviver that removes `__proto__`. @throws HttpError invalid_json for text with an unpaired surrogate */
function review(key: string, value: unknown): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
    throw new HttpError('invalid_json', 'A text in the body contains an unpaired surrogate.');
  }
  return key === '__proto__' ? undefined : value;
}

function tooManyValues(): HttpError {
  return new HttpError('body_too_large', `The body has more than ${MAX_VALUES} values.`);
}

function notUtf8(cause?: unknown): HttpError {
  return new HttpError('invalid_json', 'The body is not valid UTF-8.', { cause });
}

function notJson(cause?: unknown): HttpError {
  return new HttpError('invalid_json', 'The body is not valid JSON.', { cause });
}
