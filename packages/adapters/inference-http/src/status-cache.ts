import type { AnalyzerStatus } from '@sightline/core/analysis/image-analyzer';
import type { InferenceAddress } from './inference-address.ts';

const FRESH_MS = 500;
/** An address that takes longer to say how it is, is not well. */
const TIMEOUT_MS = 1_000;

/** What the addresses say of themselves; many ask at the same time, and often. */
export class StatusCache {
  readonly #addresses: readonly Pick<InferenceAddress, 'status'>[];
  #read: { readonly since: number; readonly answers: Promise<readonly AnalyzerStatus[]> } | null =
    null;
  #lastError: unknown = undefined;

  constructor(addresses: readonly Pick<InferenceAddress, 'status'>[]) {
    this.#addresses = addresses;
  }

  /** Why an address did not answer when it was asked last; undefined if none failed. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Of those that answer. Never rejects. */
  read(): Promise<readonly AnalyzerStatus[]> {
    const now = performance.now();
    if (this.#read === null || now - this.#read.since > FRESH_MS) {
      this.#read = { since: now, answers: this.#ask() };
    }
    return this.#read.answers;
  }

  async #ask(): Promise<readonly AnalyzerStatus[]> {
    const outcomes = await Promise.allSettled(
      this.#addresses.map((address) => address.status(AbortSignal.timeout(TIMEOUT_MS))),
    );
    this.#lastError = outcomes.find((outcome) => outcome.status === 'rejected')?.reason as unknown;
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }
}
