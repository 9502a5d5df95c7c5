import type { Scope } from '../store/scope.ts';

/** The exclusive right to run the request that has an idempotency key, until the lease of the claim expires. */
export interface IdempotencyClaim {
  readonly key: string;
  /** Distinguishes this claim from a later claim of the same key, made after the lease expired. */
  readonly token: string;
}

export interface CompletedAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface IdempotentRequest {
  readonly key: string;
  /**
   * The key under which releases without accounts have stored the request, in the day before an update; null for callers
   * that they did not have.
   */
  readonly formerKey: string | null;
  readonly fingerprint: Uint8Array;
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly claim: IdempotencyClaim }
  | {
      readonly outcome: 'completed';
      readonly answer: CompletedAnswer;
      /** The operation that the request was; null if it was none. */
      readonly operationId: number | null;
    }
  | { readonly outcome: 'in_progress' }
  | { readonly outcome: 'mismatch' };

/** Stores the answers to requests with an idempotency key for 24 hours. */
export interface IdempotencyStore {
  /** Claims the key with a lease of 30 seconds. */
  claim(scope: Scope, request: IdempotentRequest, signal?: AbortSignal): Promise<ClaimOutcome>;
  /** Renews the lease for 30 seconds. Returns false if the claim is lost. */
  renew(scope: Scope, claim: IdempotencyClaim): Promise<boolean>;
  /** Releases a key whose request had no effect, so that a retry runs the request again. */
  release(scope: Scope, claim: IdempotencyClaim): Promise<void>;
}
