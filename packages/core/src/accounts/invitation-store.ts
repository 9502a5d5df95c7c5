import type { Account, AccountActor, MemberRole } from './account.ts';
import type { NewAccount } from './account-store.ts';
import type { Login } from './login.ts';
import type { MemberActor } from './member-store.ts';

/** An invitation expires after this time, in hours. */
export const INVITATION_HOURS = 72;
/** The most open invitations to one environment. */
export const MOST_INVITATIONS = 100;

export interface Invitation {
  readonly id: number;
  /** In the form of `normalizeEmail`. */
  readonly email: string;
  readonly role: MemberRole;
  readonly expiresAt: Date;
}

export type NewInvitation = Pick<Invitation, 'email' | 'role'> & { readonly hash: Uint8Array };

/** The policy of the installation for invitations of people who have no account. */
export interface AccountInvitations {
  /** The people whose invitations may create accounts: all owners of environments, or administrators alone. */
  readonly mayCreate: 'owners' | 'administrators';
}

/** The account of an invited person. */
export interface InvitedAccount
  extends Pick<NewAccount, 'name' | 'passwordHash'>, AccountInvitations {
  readonly requestId: string;
  /** The login of the account, which then has no password. */
  readonly login?: Login;
}

export interface FoundInvitation {
  readonly email: string;
  /** Whether there is an account with this e-mail address. */
  readonly hasAccount: boolean;
}

/**
 * The open invitations to environments. An invitation is known by the hash of its token; it does not exist any more when
 * it was accepted, has expired, was revoked, or when its author is no owner any more. All methods throw
 * StoreUnavailable; those with an actor throw NotFound and Forbidden like the methods of MemberStore.
 */
export interface InvitationStore {
  /**
   * Replaces an earlier invitation of the same e-mail address.
   *
   * @throws MemberExists, TooManyInvitations; Forbidden also if the e-mail address has no account and the actor may invite
   *   none
   */
  invite(actor: MemberActor, invitation: NewInvitation & AccountInvitations): Promise<Invitation>;
  /** Lists the invitations, newest first. */
  list(actor: MemberActor, signal?: AbortSignal): Promise<readonly Invitation[]>;
  /** Returns false if there is no such invitation. */
  revoke(actor: MemberActor, id: number): Promise<boolean>;
  /** Deletes the invitations that have expired. */
  prune(): Promise<void>;
  find(hash: Uint8Array, signal?: AbortSignal): Promise<FoundInvitation | null>;
  /**
   * Makes the account of the invitation's e-mail address a member, and returns the environment; null if there is no such
   * invitation.
   *
   * @throws MemberExists
   */
  accept(hash: Uint8Array, actor: AccountActor): Promise<number | null>;
  /**
   * Creates the account of the invitation's e-mail address, and makes it a member. Returns null if there is no such
   * invitation.
   *
   * @throws EmailExists; LinkedElsewhere if the login is bound to an account; Forbidden if the author of the invitation may
   *   not create accounts
   */
  acceptAsNew(
    hash: Uint8Array,
    account: InvitedAccount,
  ): Promise<{ readonly account: Account; readonly environmentId: number } | null>;
}
