import type { Scope } from '../store/scope.ts';

/** The right to run a request under a key while the lease is renewed. */
export interface IdempotencyClaim {
  readonly key: string;
  /** Distinguishes this claim from one that took over after the lease expired. */
  readonly token: string;
}

/** A response as it is sent. */
export interface CompletedAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface IdempotentRequest {
  /** The key that the caller chose. */
  readonly key: string;
  /** SHA-256 of the request. */
  readonly fingerprint: Uint8Array;
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly claim: IdempotencyClaim }
  | { readonly outcome: 'completed'; readonly answer: CompletedAnswer }
  /** Another process runs the request. */
  | { readonly outcome: 'in_progress' }
  /** The key was used for another request. */
  | { readonly outcome: 'mismatch' };

/** Stores the responses of retryable requests for 24 hours. */
export interface IdempotencyStore {
  /** Claims the key with a lease of 30 seconds. */
  claim(scope: Scope, request: IdempotentRequest, signal?: AbortSignal): Promise<ClaimOutcome>;
  /** Renews the lease for 30 seconds; false if the claim is lost. */
  renew(scope: Scope, claim: IdempotencyClaim): Promise<boolean>;
  /** Releases a key whose request had no effect. */
  release(scope: Scope, claim: IdempotencyClaim): Promise<void>;
}
