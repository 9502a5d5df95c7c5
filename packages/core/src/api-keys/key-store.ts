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
  /** SHA-256 of the key. */
  readonly hash: Uint8Array;
}

export interface Environment {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
}

/** Keys and environments of the installation. Throws StoreUnavailable. */
export interface KeyStore {
  /** Keys with this prefix, revoked and expired ones too; few, mostly one. */
  byPrefix(
    prefix: string,
    signal?: AbortSignal,
  ): Promise<readonly (ApiKeyRecord & { readonly hash: Uint8Array })[]>;
  insert(key: NewApiKey): Promise<ApiKeyRecord>;
  /** Newest first, revoked ones too. */
  list(): Promise<readonly ApiKeyRecord[]>;
  /** False if there is no such key; revoking twice keeps the first time. */
  revoke(id: number): Promise<boolean>;
  /** Records uses of keys; the latest time wins. */
  touch(uses: ReadonlyMap<number, Date>): Promise<void>;
  environments(): Promise<readonly Environment[]>;
  /** Creates an environment, or answers the existing one of this name. */
  environment(name: string): Promise<Environment>;
}
