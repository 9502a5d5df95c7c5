import { byteSymbols } from './byte-symbols.ts';
import { mergePairs } from './merge-pairs.ts';

export interface TokenizerTables {
  /** The token ids by symbol. The symbol at the end of a word ends in `</w>`. */
  readonly vocabulary: ReadonlyMap<string, number>;
  /**
   * The ranks of the pairs of symbols that merge. A key consists of both symbols with a space in
   * between. The pair of rank 0 merges first.
   */
  readonly merges: ReadonlyMap<string, number>;
}

export const START = '<|startoftext|>';
export const END = '<|endoftext|>';

/**
 * Matches words as CLIP splits them: English contractions, runs of letters, single digits, runs of
 * anything else. CLIP's own code also recognizes the names of special tokens. Here these names are
 * plain text, so that a phrase cannot contain an end token.
 */
const WORDS = /'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+/gu;

/**
 * The byte-pair encoding of CLIP (Radford et al. 2021). It collapses white space and lowercases
 * letters. Each word becomes the symbols of its UTF-8 bytes, and known pairs of symbols merge,
 * lowest rank first.
 */
export class ClipTokenizer {
  readonly #tables: TokenizerTables;
  readonly #symbols = byteSymbols();
  readonly #start: number;
  readonly #end: number;

  /** @throws RangeError if a byte or a special token has no id */
  constructor(tables: TokenizerTables) {
    this.#tables = tables;
    this.#start = this.#idOf(START);
    this.#end = this.#idOf(END);
    for (const symbol of this.#symbols) {
      this.#idOf(symbol);
      this.#idOf(`${symbol}</w>`);
    }
  }

  /**
   * @param length number of ids, at least 2
   * @returns the start token, the text's tokens, the end token, zeros. A text that is too long
   *   loses its last tokens, but keeps the end token.
   */
  encode(text: string, length: number): Int32Array {
    const tokens = this.#tokensOf(text, length - 2);
    const ids = new Int32Array(length);
    ids.set([this.#start, ...tokens, this.#end]);
    return ids;
  }

  #tokensOf(text: string, most: number): number[] {
    const tokens: number[] = [];
    for (const [word] of text.normalize('NFC').toLowerCase().matchAll(WORDS)) {
      if (tokens.length >= most) break;
      tokens.push(...this.#encodeWord(word));
    }
    return tokens.slice(0, most);
  }

  #encodeWord(word: string): number[] {
    const symbols = Array.from(Buffer.from(word, 'utf8'), (byte) => this.#symbols[byte]!);
    symbols.push(`${symbols.pop()!}</w>`);
    return mergePairs(symbols, this.#tables.merges).map((symbol) => this.#idOf(symbol));
  }

  #idOf(symbol: string): number {
    const id = this.#tables.vocabulary.get(symbol);
    if (id === undefined) throw new RangeError(`The vocabulary lacks ${JSON.stringify(symbol)}.`);
    return id;
  }
}
