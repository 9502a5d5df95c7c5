import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import type { InferenceAddress } from './inference-address.ts';

const FRESH_MS = 500;
/** An address that takes longer to report its status counts as down. */
const TIMEOUT_MS = 1_000;

interface Addresses {
  readonly current: readonly Pick<InferenceAddress, 'status'>[];
}

/** Caches the status of all addresses, because many callers poll it at the same time. */
export class StatusCache {
  readonly #addresses: Addresses;
  #read: { readonly readAt: number; readonly answers: Promise<readonly AnalyzerStatus[]> } | null =
    null;
  #lastError: unknown = undefined;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  /** The error of an address in the last poll; undefined if all responded. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** The status of each address that responds. Never rejects. */
  read(): Promise<readonly AnalyzerStatus[]> {
    const now = performance.now();
    if (this.#read === null || now - this.#read.readAt > FRESH_MS) {
      this.#read = { readAt: now, answers: this.#poll() };
    }
    return this.#read.answers;
  }

  /** The next read polls. */
  forget(): void {
    this.#read = null;
  }

  async #poll(): Promise<readonly AnalyzerStatus[]> {
    const outcomes = await Promise.allSettled(
      this.#addresses.current.map((address) => address.status(AbortSignal.timeout(TIMEOUT_MS))),
    );
    this.#lastError = outcomes.find((outcome) => outcome.status === 'rejected')?.reason as unknown;
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }
}
