import type { Actor } from '../store/actor.ts';
import type { Account } from './account.ts';

export type NewAccount = Pick<Account, 'email' | 'name' | 'isAdmin' | 'passwordBy'> & {
  readonly passwordHash: string;
};

export type AccountChanges = Partial<Pick<Account, 'isAdmin' | 'isDisabled' | 'emailVerified'>> & {
  /** The hash of a password that an administrator gives. It replaces the logins of the account, too. */
  readonly passwordHash?: string;
};
export type ProfileChanges = Partial<Pick<Account, 'name' | 'locale' | 'defaultEnvironmentId'>>;

export interface PasswordReplacement {
  /** The stored hash of the password that the person gave. */
  readonly before: string;
  readonly hash: string;
  /** The session that stays. */
  readonly keptSession: number;
  readonly actor: Actor;
}

/** The accounts of the installation. All methods throw StoreUnavailable. */
export interface AccountStore {
  /**
   * Creates an account. An administrator becomes the owner of all environments that have none.
   *
   * @throws EmailExists
   */
  insert(account: NewAccount, actor: Actor): Promise<Account>;
  /**
   * Creates the first account, an administrator, like {@link AccountStore.insert}. Returns null if there are accounts
   * already.
   */
  insertFirst(account: NewAccount): Promise<Account | null>;
  /** Whether there are accounts. */
  areThere(signal?: AbortSignal): Promise<boolean>;
  /** Lists all accounts, oldest first. */
  list(signal?: AbortSignal): Promise<readonly Account[]>;
  /** Returns the names of those of the accounts that exist, by id. */
  names(ids: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, string>>;
  byEmail(
    email: string,
    signal?: AbortSignal,
  ): Promise<(Account & { readonly passwordHash: string }) | null>;
  byId(
    id: string,
    signal?: AbortSignal,
  ): Promise<(Account & { readonly passwordHash: string }) | null>;
  /**
   * Changes an account for an administrator. Its sessions end with a new password, and when it is disabled; then its keys
   * are revoked, too. Returns null if there is no such account.
   *
   * @throws LastAdministrator
   */
  change(id: string, changes: AccountChanges, actor: Actor): Promise<Account | null>;
  /**
   * Changes what the person decides. The environment must be one of the account's.
   *
   * @throws NotFound if the account is no member of the environment
   */
  changeProfile(id: string, changes: ProfileChanges): Promise<Account>;
  /**
   * Replaces the password for its person, and ends the other sessions. Returns false if the account is disabled, has another
   * password, or no longer has the session, because another request came before.
   */
  replacePassword(id: string, replacement: PasswordReplacement): Promise<boolean>;
}
