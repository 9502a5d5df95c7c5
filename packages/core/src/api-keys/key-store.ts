import type { AccountActor } from '../accounts/account.ts';
import type { Actor } from '../store/actor.ts';
import type { Caller } from '../access/caller.ts';

/** A key with full rights may do what an owner may do, except for what needs a session. */
export const KEY_RIGHTS = ['full', 'review', 'read'] as const;

/** The most valid keys of an environment. */
export const MOST_KEYS = 1000;

export type KeyRight = (typeof KEY_RIGHTS)[number];

export interface ApiKeyRecord extends Pick<Caller, 'environmentId' | 'countedOwnerId' | 'isAdmin'> {
  readonly id: number;
  readonly right: KeyRight;
  /** The account that made the key; null for keys of the command. */
  readonly createdBy: { readonly accountId: string; readonly name: string } | null;
  readonly label: string;
  /** The first characters of the key, by which people recognize it. */
  readonly prefix: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

export interface NewApiKey extends Pick<
  ApiKeyRecord,
  'environmentId' | 'label' | 'right' | 'isAdmin' | 'prefix' | 'expiresAt'
> {
  readonly hash: Uint8Array;
  /**
   * The one who makes the key. If it is an account, then the account decides whether the key is an administrator's.
   */
  readonly actor: Actor;
}

export interface Environment {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
}

/** The keys and environments of the installation. All methods throw StoreUnavailable. */
export interface KeyStore {
  /**
   * Finds all keys with this prefix, including revoked and expired ones, without those of disabled accounts and of
   * environments that are being deleted. Usually there is one.
   */
  byPrefix(
    prefix: string,
    signal?: AbortSignal,
  ): Promise<readonly (ApiKeyRecord & { readonly hash: Uint8Array })[]>;
  /**
   * @throws TooManyKeys; NotFound if the account that makes the key is no member of the environment; Forbidden if it is no
   *   owner
   */
  insert(key: NewApiKey): Promise<ApiKeyRecord>;
  /** Lists all keys, newest first, including revoked ones. */
  list(): Promise<readonly ApiKeyRecord[]>;
  /** Lists the valid keys of the environments that the account is an owner of, newest first. */
  listOfOwner(accountId: string, signal?: AbortSignal): Promise<readonly ApiKeyRecord[]>;
  /** Revokes a key of an environment that the account is an owner of. Returns false if there is no such key. */
  revokeAsOwner(actor: AccountActor, id: number): Promise<boolean>;
  /**
   * Returns false if the key does not exist. Revoking a key again does not change the stored time of the first
   * revocation.
   */
  revoke(id: number, actor: Actor): Promise<boolean>;
  /** @param uses the time of use by the id of the key; earlier times than the stored one are ignored */
  touch(uses: ReadonlyMap<number, Date>): Promise<void>;
  environments(): Promise<readonly Environment[]>;
  /**
   * Returns the environment of this name that has no owner or belongs to the first account. It is created if it does not
   * exist, and belongs to the first account if there is one.
   */
  environment(name: string): Promise<Environment>;
}
