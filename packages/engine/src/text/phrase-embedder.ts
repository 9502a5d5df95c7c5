import type { TextEncoder } from './text-encoder.ts';

export interface PhraseEmbedder {
  /** @returns unit vectors, one per phrase in the order of the phrases */
  embed(phrases: readonly string[]): Promise<readonly Float32Array[]>;
}

/**
 * The maximum number of embeddings that are kept: enough for a hundred environments with the
 * longest vocabulary. With 512 values each, they take 40 MB.
 */
const MAX_KEPT = 20_000;

/** Embeds each phrase once, and keeps the embeddings of the most recently requested phrases. */
export class KeptPhrases implements PhraseEmbedder {
  readonly #encoder: Pick<TextEncoder, 'encode'>;
  readonly #limit: number;
  /** The embeddings by phrase, sorted by last use. The most recently used embedding is the last. */
  readonly #kept = new Map<string, Float32Array>();

  constructor(encoder: Pick<TextEncoder, 'encode'>, limit = MAX_KEPT) {
    this.#encoder = encoder;
    this.#limit = limit;
  }

  async embed(phrases: readonly string[]): Promise<readonly Float32Array[]> {
    const found = new Map<string, Float32Array>();
    for (const phrase of phrases) {
      const kept = this.#kept.get(phrase);
      if (kept !== undefined) found.set(phrase, kept);
    }
    const missing = [...new Set(phrases)].filter((phrase) => !found.has(phrase));
    if (missing.length > 0) {
      const embeddings = await this.#encoder.encode(missing);
      for (const [index, phrase] of missing.entries()) found.set(phrase, embeddings[index]!);
    }
    this.#keep(found);
    return phrases.map((phrase) => found.get(phrase)!);
  }

  #keep(used: ReadonlyMap<string, Float32Array>): void {
    for (const [phrase, embedding] of used) {
      this.#kept.delete(phrase);
      this.#kept.set(phrase, embedding);
    }
    for (const phrase of this.#kept.keys()) {
      if (this.#kept.size <= this.#limit) return;
      this.#kept.delete(phrase);
    }
  }
}
