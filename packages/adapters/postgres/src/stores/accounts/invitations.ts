import type { AccountActor } from '@sightline/core/accounts/account';
import { Forbidden } from '@sightline/core/access/access-errors';
import { MemberExists, TooManyInvitations } from '@sightline/core/accounts/account-errors';
import {
  type AccountInvitations,
  type FoundInvitation,
  type Invitation,
  INVITATION_HOURS,
  type InvitationStore,
  type InvitedAccount,
  MOST_INVITATIONS,
  type NewInvitation,
} from '@sightline/core/accounts/invitation-store';
import type { MemberActor } from '@sightline/core/accounts/member-store';
import { and, desc, eq, gt, isNull, not, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { accounts } from '../../schema/accounts.ts';
import { environments } from '../../schema/environments.ts';
import { invitations } from '../../schema/invitations.ts';
import { members } from '../../schema/members.ts';
import { recordBy } from '../audit/record-audit.ts';
import { columnsWithout } from '../database/columns-without.ts';
import { createOwnAccount } from './create-own-account.ts';
import { lockAble, lockAsOwner, requireOwner } from './lock-environment.ts';

const COLUMNS = columnsWithout(invitations, 'environmentId', 'hash', 'createdBy');
const IS_OPEN = gt(invitations.expiresAt, sql`now()`);

export class PostgresInvitationStore implements InvitationStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  /** Also removes the invitations to the environment that have expired. */
  invite(
    actor: MemberActor,
    { mayCreate, ...invitation }: NewInvitation & AccountInvitations,
  ): Promise<Invitation> {
    const { accountId: createdBy, environmentId } = actor;
    return this.#doors.withPlatform('accounts', async (session) => {
      await lockAsOwner(session, actor);
      const { db } = session;
      if (!(await isKnown(session, invitation.email))) {
        await mayCreateAccount(session, { createdBy, mayCreate });
      }
      const present = await db
        .select({ id: accounts.id })
        .from(members)
        .innerJoin(accounts, eq(accounts.id, members.accountId))
        .where(and(eq(members.environmentId, environmentId), eq(accounts.email, invitation.email)));
      if (present.length > 0) throw new MemberExists();
      const isOfThis = eq(invitations.environmentId, environmentId);
      await db.delete(invitations).where(and(isOfThis, not(IS_OPEN)));
      const replaced = await db
        .delete(invitations)
        .where(and(isOfThis, eq(invitations.email, invitation.email)))
        .returning({ id: invitations.id });
      await recordRevoked(session, actor, replaced);
      if ((await db.$count(invitations, isOfThis)) >= MOST_INVITATIONS)
        throw new TooManyInvitations();
      const expiresAt = sql`now() + make_interval(hours => ${INVITATION_HOURS})`;
      const [created] = await db
        .insert(invitations)
        .values({ ...invitation, environmentId, createdBy, expiresAt })
        .returning(COLUMNS);
      const details = { role: invitation.role };
      const entry = {
        entity: 'invitation',
        action: 'create',
        ids: [created!.id],
        details,
      } as const;
      await recordBy(session, actor, entry);
      return created!;
    });
  }

  list(actor: MemberActor, signal?: AbortSignal): Promise<readonly Invitation[]> {
    return this.#doors.withPlatform(
      'accounts',
      async (session) => {
        await requireOwner(session, actor);
        return session.db
          .select(COLUMNS)
          .from(invitations)
          .where(and(eq(invitations.environmentId, actor.environmentId), IS_OPEN))
          .orderBy(desc(invitations.id));
      },
      signal,
    );
  }

  revoke(actor: MemberActor, id: number): Promise<boolean> {
    return this.#doors.withPlatform('accounts', async (session) => {
      await lockAsOwner(session, actor);
      const revoked = await session.db
        .delete(invitations)
        .where(
          and(eq(invitations.environmentId, actor.environmentId), eq(invitations.id, id), IS_OPEN),
        )
        .returning({ id: invitations.id });
      await recordRevoked(session, actor, revoked);
      return revoked.length > 0;
    });
  }

  async prune(): Promise<void> {
    await this.#doors.onPlatform('accounts', ({ db }) =>
      db.delete(invitations).where(not(IS_OPEN)),
    );
  }

  async find(hash: Uint8Array, signal?: AbortSignal): Promise<FoundInvitation | null> {
    const [found] = await this.#doors.onPlatform(
      'accounts',
      ({ db }) =>
        db
          .select({ email: invitations.email, accountId: accounts.id })
          .from(invitations)
          .innerJoin(environments, eq(environments.id, invitations.environmentId))
          .leftJoin(accounts, eq(accounts.email, invitations.email))
          .where(and(eq(invitations.hash, hash), IS_OPEN, isNull(environments.deletingSince))),
      signal,
    );
    return found === undefined
      ? null
      : { email: found.email, hasAccount: found.accountId !== null };
  }

  accept(hash: Uint8Array, by: AccountActor): Promise<number | null> {
    return this.#doors.withPlatform('accounts', async (session) => {
      await lockAble(session, by.accountId);
      const taken = await take(session, hash);
      if (taken === null) return null;
      await addMember(session, taken, by);
      return taken.environmentId;
    });
  }

  acceptAsNew(hash: Uint8Array, { mayCreate, ...invited }: InvitedAccount) {
    return this.#doors.withPlatform('accounts', async (session) => {
      const taken = await take(session, hash);
      if (taken === null) return null;
      const emailVerified = await mayCreateAccount(session, { ...taken, mayCreate });
      const own = { ...invited, email: taken.email, emailVerified };
      const account = await createOwnAccount(session, own);
      await addMember(session, taken, { accountId: account.id, requestId: invited.requestId });
      return { account, environmentId: taken.environmentId };
    });
  }
}

async function recordRevoked(
  session: TransactionSession,
  by: MemberActor,
  revoked: readonly { readonly id: number }[],
): Promise<void> {
  if (revoked.length === 0) return;
  const ids = revoked.map(({ id }) => id);
  await recordBy(session, by, { entity: 'invitation', action: 'revoke', ids });
}

async function isKnown({ db }: TransactionSession, email: string): Promise<boolean> {
  return (await db.$count(accounts, eq(accounts.email, email))) > 0;
}

/**
 * Returns whether the author of an invitation is an administrator, who then vouches for the e-mail address.
 *
 * @throws Forbidden if only administrators may invite people without an account
 */
async function mayCreateAccount(
  { db }: TransactionSession,
  { createdBy, mayCreate }: AccountInvitations & { readonly createdBy: string },
): Promise<boolean> {
  const isAdmin = and(eq(accounts.id, createdBy), eq(accounts.isAdmin, true));
  const isByAdministrator = (await db.$count(accounts, isAdmin)) > 0;
  if (mayCreate === 'owners' || isByAdministrator) return isByAdministrator;
  throw new Forbidden('Here only administrators invite people who have no account yet.');
}

type Taken = Pick<
  typeof invitations.$inferSelect,
  'id' | 'environmentId' | 'email' | 'role' | 'createdBy'
>;

/** Removes an open invitation, so that it is accepted once. */
async function take({ db }: TransactionSession, hash: Uint8Array): Promise<Taken | null> {
  const [taken] = await db
    .delete(invitations)
    .where(and(eq(invitations.hash, hash), IS_OPEN))
    .returning({
      id: invitations.id,
      environmentId: invitations.environmentId,
      email: invitations.email,
      role: invitations.role,
      createdBy: invitations.createdBy,
    });
  return taken ?? null;
}

async function addMember(
  session: TransactionSession,
  { id, environmentId, role }: Taken,
  by: AccountActor,
): Promise<void> {
  const { accountId } = by;
  const added = await session.db
    .insert(members)
    .values({ environmentId, accountId, role })
    .onConflictDoNothing()
    .returning({ accountId: members.accountId });
  if (added.length === 0) throw new MemberExists();
  const details = { account_id: accountId, role };
  const entry = { entity: 'invitation', action: 'accept', ids: [id], details } as const;
  await recordBy(session, { ...by, environmentId }, entry);
}
