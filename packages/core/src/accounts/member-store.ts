import type { Actor } from '../store/actor.ts';
import type { AccountActor, MemberRole } from './account.ts';

/** An account with a role in an environment. */
export interface Member {
  readonly accountId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly role: MemberRole;
  readonly since: Date;
}

/** The account that reads or changes who may use an environment. */
export interface MemberActor extends AccountActor {
  readonly environmentId: number;
}

/**
 * The members of environments. Only owners may read and change them; the methods throw NotFound if the actor is no
 * member, Forbidden if the actor is a member with another role, and StoreUnavailable. At least one owner whose account
 * is not disabled stays.
 *
 * A member who leaves or gets a lower role loses the keys and invitations that the account made there. With `keepsKeys` the keys
 * become the actor's instead.
 */
export interface MemberStore {
  /** Lists the members, in the order in which they came. */
  list(actor: MemberActor, signal?: AbortSignal): Promise<readonly Member[]>;
  /** @throws LastOwner, KeysWithoutOwner; NotFound if there is no such member */
  change(
    actor: MemberActor,
    accountId: string,
    changes: { readonly role: MemberRole; readonly keepsKeys: boolean },
  ): Promise<Member>;
  /**
   * Removes a member. Every member may leave. The environment passes from its creator to the oldest other owner.
   *
   * @throws LastOwner, KeysWithoutOwner; EnvironmentExists if the other owner has an environment of this name; NotFound
   *   if there is no such member
   */
  remove(
    actor: MemberActor,
    accountId: string,
    options: { readonly keepsKeys: boolean },
  ): Promise<void>;
  /**
   * Makes an account the owner of an environment whose owners are all disabled. Any administrator may do this.
   *
   * @throws OwnerExists; NotFound if there is no such environment, or no such account that is not disabled
   */
  appointOwner(environmentId: number, accountId: string, actor: Actor): Promise<Member>;
}
