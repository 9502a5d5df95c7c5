import type { Caller } from '../access/caller.ts';

export interface ApiKeyRecord extends Pick<Caller, 'environmentId' | 'right' | 'isAdmin'> {
  readonly id: number;
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
}

export interface Environment {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
}

/** The keys and environments of the installation. All methods throw StoreUnavailable. */
export interface KeyStore {
  /** Finds all keys with this prefix, including revoked and expired ones. Usually there is one. */
  byPrefix(
    prefix: string,
    signal?: AbortSignal,
  ): Promise<readonly (ApiKeyRecord & { readonly hash: Uint8Array })[]>;
  insert(key: NewApiKey): Promise<ApiKeyRecord>;
  /** Lists all keys, newest first, including revoked ones. */
  list(): Promise<readonly ApiKeyRecord[]>;
  /**
   * Returns false if the key does not exist. Revoking a key again does not change the stored time of the first
   * revocation.
   */
  revoke(id: number): Promise<boolean>;
  /** @param uses the time of use by the id of the key; earlier times than the stored one are ignored */
  touch(uses: ReadonlyMap<number, Date>): Promise<void>;
  environments(): Promise<readonly Environment[]>;
  /** Returns the environment of this name, which is created if it does not exist. */
  environment(name: string): Promise<Environment>;
}
