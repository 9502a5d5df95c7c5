import type { AccountActor, MemberRole } from './account.ts';
import type { MemberActor } from './member-store.ts';

/** An environment as a member sees it. */
export interface MemberEnvironment {
  readonly id: number;
  readonly name: string;
  /** The role of the account in it. */
  readonly role: MemberRole;
  readonly createdAt: Date;
}

/** A record of an environment that has files. */
export interface OwnedRecord {
  readonly kind: 'detection' | 'source';
  readonly id: number;
}

/** The environments of accounts. All methods throw StoreUnavailable. */
export interface EnvironmentStore {
  /** Lists the environments that the account is a member of, oldest first. */
  list(accountId: string, signal?: AbortSignal): Promise<readonly MemberEnvironment[]>;
  /** @throws NotFound if the account is no member of it */
  get(accountId: string, id: number, signal?: AbortSignal): Promise<MemberEnvironment>;
  /**
   * Finds the environment of the account that has a record; null if none has. The ids of records are unique in the
   * installation.
   */
  having(accountId: string, record: OwnedRecord, signal?: AbortSignal): Promise<number | null>;
  /**
   * Creates an environment that the account owns.
   *
   * @throws EnvironmentExists, TooManyEnvironments
   */
  create(actor: AccountActor, name: string): Promise<MemberEnvironment>;
  /**
   * Renames an environment.
   *
   * @throws NotFound if the account is no member of it; Forbidden if the account is no owner of it; EnvironmentExists
   */
  rename(actor: MemberActor, name: string): Promise<MemberEnvironment>;
}
