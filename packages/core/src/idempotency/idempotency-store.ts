import type { Scope } from '../store/scope.ts';

/** The right to run a request under a key, as long as its lease is renewed. */
export interface IdempotencyClaim {
  readonly key: string;
  /** Tells this claim from one that took over after its lease had run out. */
  readonly token: string;
}

/** An answer as it goes out. */
export interface CompletedAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface IdempotentRequest {
  /** As the caller chose it. */
  readonly key: string;
  /** SHA-256 over what the request asks for. */
  readonly fingerprint: Uint8Array;
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly claim: IdempotencyClaim }
  | { readonly outcome: 'completed'; readonly answer: CompletedAnswer }
  /** Another process runs it. */
  | { readonly outcome: 'in_progress' }
  /** The key was used for another request. */
  | { readonly outcome: 'mismatch' };

/** Answers to requests that may be sent again, for 24 hours. */
export interface IdempotencyStore {
  /** Takes the key for 30 seconds. */
  claim(scope: Scope, request: IdempotentRequest, signal?: AbortSignal): Promise<ClaimOutcome>;
  /** Prolongs the lease by 30 seconds; false if the claim is lost. */
  renew(scope: Scope, claim: IdempotencyClaim): Promise<boolean>;
  /** Lets go of a key whose request had no effect. */
  release(scope: Scope, claim: IdempotencyClaim): Promise<void>;
}
