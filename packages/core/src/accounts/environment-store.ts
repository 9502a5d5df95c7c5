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

/** The progress of a deletion, in images and detections. */
export interface DeletionProgress {
  readonly total: number;
  readonly done: number;
}

/** An environment, possibly one that is being deleted. */
export interface KnownEnvironment extends MemberEnvironment {
  /** Null unless the environment is being deleted. */
  readonly deleting: DeletionProgress | null;
}

/** A record of an environment that has files. */
export interface OwnedRecord {
  readonly kind: 'detection' | 'source';
  readonly id: number;
}

/**
 * The environments of accounts. An environment whose deletion was requested counts as one that does not exist, except for
 * the last two methods. All methods throw StoreUnavailable.
 */
export interface EnvironmentStore {
  /** Lists the environments that the account is a member of, oldest first. */
  list(accountId: string, signal?: AbortSignal): Promise<readonly MemberEnvironment[]>;
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
  /** @throws NotFound if the account is no member of it */
  get(accountId: string, id: number, signal?: AbortSignal): Promise<KnownEnvironment>;
  /**
   * Requests the deletion of an environment: from now on nothing can be stored in it, and its jobs and webhooks are off.
   * A repeated request has no effect.
   *
   * @returns the id of the deletion
   * @throws NotFound if the account is no member of it; Forbidden if the account is no owner of it; LastEnvironment
   */
  delete(actor: MemberActor): Promise<number>;
}
