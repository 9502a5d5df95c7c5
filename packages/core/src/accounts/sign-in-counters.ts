import type { KeySource } from '../secrets/secret-box.ts';

/** The two names by which attempts to sign in are counted. */
export interface SignInSubject {
  /** In the form of `normalizeEmail`, whether or not an account has it. */
  readonly email: string;
  /** The client's address, or its network if one client has many addresses. */
  readonly address: string;
}

/** A refused sign-in of a login that a provider has proven. */
export interface SignOnRefusal {
  /** Null if no account has the login. */
  readonly accountId: string | null;
  /** The code of the refusal. */
  readonly reason: string;
}

/** Counts failed sign-ins of the last ten minutes for all processes. All methods throw StoreUnavailable. */
export interface SignInCounters {
  /**
   * Whether an attempt may be made: fewer than 5 have failed for this e-mail address from this address, fewer than 20
   * from this address, and at most 50 for this e-mail address. The last limit does not apply to addresses from which
   * this e-mail address has signed in before, so that strangers cannot lock an account.
   */
  mayTry(subject: SignInSubject, signal?: AbortSignal): Promise<boolean>;
  /** Also records the attempt in the audit, if an account has the e-mail address. */
  failed(subject: SignInSubject, requestId: string): Promise<void>;
  /** Whether an attempt may be made that names no e-mail address: fewer than 20 have failed from this address. */
  mayTryFrom(address: string, signal?: AbortSignal): Promise<boolean>;
  /** Counts a failed attempt that names no e-mail address, and records the refusal in the audit, if there is one. */
  failedFrom(address: string, refusal: SignOnRefusal | null, requestId: string): Promise<void>;
  succeeded(subject: SignInSubject): Promise<void>;
  /** Forgets the failures of an e-mail address, from whichever addresses they came, and returns their number. */
  unlock(email: string): Promise<number>;
}

export interface SignInCounterStore {
  /**
   * The counters whose names are stored as digests with a key. Without one the identity of the installation takes its
   * place. All processes need the same key.
   */
  keyed(keys: Pick<KeySource, 'derive'>): SignInCounters;
}
