import type { Account, MemberRole } from './account.ts';
import type { Login } from './login.ts';

export interface SessionOrigin {
  /** The IP address of the client; null if unknown. */
  readonly address: string | null;
  /** The browser, as it describes itself; null if it does not. */
  readonly userAgent: string | null;
}

export type NewSession = SessionOrigin & {
  readonly accountId: string;
  readonly hash: Uint8Array;
  readonly requestId: string;
} & (
    | {
        /** The stored hash of the password that was checked. */
        readonly passwordHash: string;
      }
    | {
        /** The login that an identity provider has proven. */
        readonly login: Login;
      }
  );

/** A session in the list of an account. */
export interface SessionRecord extends SessionOrigin {
  readonly id: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

export interface Membership {
  readonly environmentId: number;
  /** As that of `Caller`. */
  readonly countedOwnerId: string | null;
  readonly role: MemberRole;
}

/** A session with the rows that decide what it may do. */
export interface FoundSession extends Pick<SessionRecord, 'id' | 'createdAt' | 'lastUsedAt'> {
  readonly account: Account;
  /** Null if the account is no member of the environment. */
  readonly membership: Membership | null;
}

/** The sessions of browsers. All methods throw StoreUnavailable. */
export interface SessionStore {
  /**
   * Opens a session, unless the account was disabled, got another password, or lost the login since the check. An account
   * keeps its newest sessions, at most {@link MOST_SESSIONS}.
   *
   * @returns whether the session was opened
   */
  open(session: NewSession): Promise<boolean>;
  /**
   * Finds a session by the hash of its token, including one that has expired.
   *
   * @param environmentId the environment that the request names; null for the account's default one
   */
  find(
    hash: Uint8Array,
    environmentId: number | null,
    signal?: AbortSignal,
  ): Promise<FoundSession | null>;
  /** Lists the sessions of an account that have not expired, newest first. */
  list(accountId: string, signal?: AbortSignal): Promise<readonly SessionRecord[]>;
  /** Records when a session was used; an earlier time than the stored one is ignored. */
  touch(id: number, at: Date): Promise<void>;
  /** Ends a session of the account. Returns false if there is none with this id. */
  end(accountId: string, id: number): Promise<boolean>;
  /** Ends the sessions with the hashes of tokens, of whichever accounts. Returns the ids of those that there were. */
  endAll(hashes: readonly Uint8Array[]): Promise<readonly number[]>;
}

/** The most sessions of an account. */
export const MOST_SESSIONS = 50;
/** A session expires when it was not used for this time, in days. */
export const SESSION_IDLE_DAYS = 7;
/** A session expires after this time in any case, in days. */
export const SESSION_DAYS = 30;
