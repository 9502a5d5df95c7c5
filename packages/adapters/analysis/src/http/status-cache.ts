import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import type { InferenceAddress } from './inference-address.ts';

const FRESH_MS = 500;
const TIMEOUT_MS = 1_000;
/**
 * How long the last status of an address stays valid while its requests time out, in ms. A busy process answers late,
 * but is not down.
 */
const STALE_MS = 5_000;

type Address = Pick<InferenceAddress, 'status'>;

interface Addresses {
  readonly current: readonly Address[];
}

/** Caches the status of all addresses, because many callers poll it at the same time. */
export class StatusCache {
  readonly #addresses: Addresses;
  #read: { readonly readAt: number; readonly answers: Promise<readonly AnalyzerStatus[]> } | null =
    null;
  #lastError: unknown = undefined;
  readonly #lastAnswers = new WeakMap<
    Address,
    { readonly status: AnalyzerStatus; readonly until: number }
  >();

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  /** The error of an address in the last poll; undefined if all responded. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Returns the status of each address that responds, or did so within the last {@link STALE_MS}. Never rejects. */
  read(): Promise<readonly AnalyzerStatus[]> {
    const now = performance.now();
    if (this.#read === null || now - this.#read.readAt > FRESH_MS) {
      this.#read = { readAt: now, answers: this.#poll() };
    }
    return this.#read.answers;
  }

  /** Makes the next read poll the addresses. */
  forget(): void {
    this.#read = null;
  }

  async #poll(): Promise<readonly AnalyzerStatus[]> {
    const outcomes = await Promise.allSettled(
      this.#addresses.current.map((address) => this.#ask(address)),
    );
    this.#lastError = outcomes.find((outcome) => outcome.status === 'rejected')?.reason as unknown;
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }

  async #ask(address: Address): Promise<AnalyzerStatus> {
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const status = await address.status(limit);
      this.#lastAnswers.set(address, { status, until: performance.now() + STALE_MS });
      return status;
    } catch (error) {
      const last = this.#lastAnswers.get(address);
      if (limit.aborted && last !== undefined && performance.now() < last.until) return last.status;
      throw error;
    }
  }
}
