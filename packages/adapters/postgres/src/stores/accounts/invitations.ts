import type { NewAccount } from '@sightline/core/accounts/account-store';
import {
  EmailExists,
  MemberExists,
  TooManyInvitations,
} from '@sightline/core/accounts/account-errors';
import {
  type FoundInvitation,
  type Invitation,
  INVITATION_HOURS,
  type InvitationStore,
  MOST_INVITATIONS,
  type NewInvitation,
} from '@sightline/core/accounts/invitation-store';
import type { MemberActor } from '@sightline/core/accounts/member-store';
import { and, desc, eq, gt, not, or, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { accounts } from '../../schema/accounts.ts';
import { invitations } from '../../schema/invitations.ts';
import { members } from '../../schema/members.ts';
import { columnsWithout } from '../database/columns-without.ts';
import { lockAsOwner, requireOwner } from './lock-environment.ts';

const COLUMNS = columnsWithout(invitations, 'environmentId', 'hash', 'createdBy');
const IS_OPEN = gt(invitations.expiresAt, sql`now()`);

export class PostgresInvitationStore implements InvitationStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  /** Also removes the invitations to the environment that have expired. */
  invite(actor: MemberActor, invitation: NewInvitation): Promise<Invitation> {
    const { accountId: createdBy, environmentId } = actor;
    return this.#doors.withPlatform('accounts', async (session) => {
      await lockAsOwner(session, actor);
      const { db } = session;
      const present = await db
        .select({ id: accounts.id })
        .from(members)
        .innerJoin(accounts, eq(accounts.id, members.accountId))
        .where(and(eq(members.environmentId, environmentId), eq(accounts.email, invitation.email)));
      if (present.length > 0) throw new MemberExists();
      const isOfThis = eq(invitations.environmentId, environmentId);
      const isOld = or(not(IS_OPEN), eq(invitations.email, invitation.email));
      await db.delete(invitations).where(and(isOfThis, isOld));
      if ((await db.$count(invitations, isOfThis)) >= MOST_INVITATIONS)
        throw new TooManyInvitations();
      const expiresAt = sql`now() + make_interval(hours => ${INVITATION_HOURS})`;
      const [created] = await db
        .insert(invitations)
        .values({ ...invitation, environmentId, createdBy, expiresAt })
        .returning(COLUMNS);
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
      await requireOwner(session, actor);
      const revoked = await session.db
        .delete(invitations)
        .where(
          and(eq(invitations.environmentId, actor.environmentId), eq(invitations.id, id), IS_OPEN),
        )
        .returning({ id: invitations.id });
      return revoked.length > 0;
    });
  }

  async find(hash: Uint8Array, signal?: AbortSignal): Promise<FoundInvitation | null> {
    const [found] = await this.#doors.onPlatform(
      'accounts',
      ({ db }) =>
        db
          .select({ email: invitations.email, accountId: accounts.id })
          .from(invitations)
          .leftJoin(accounts, eq(accounts.email, invitations.email))
          .where(and(eq(invitations.hash, hash), IS_OPEN)),
      signal,
    );
    return found === undefined
      ? null
      : { email: found.email, hasAccount: found.accountId !== null };
  }

  accept(hash: Uint8Array, accountId: string): Promise<number | null> {
    return this.#doors.withPlatform('accounts', async (session) => {
      const taken = await take(session, hash);
      if (taken === null) return null;
      await addMember(session, taken, accountId);
      return taken.environmentId;
    });
  }

  acceptAsNew(hash: Uint8Array, account: Pick<NewAccount, 'name' | 'passwordHash'>) {
    return this.#doors.withPlatform('accounts', async (session) => {
      const taken = await take(session, hash);
      if (taken === null) return null;
      const [created] = await session.db
        .insert(accounts)
        .values({ ...account, email: taken.email, isAdmin: false, passwordBy: 'owner' })
        .onConflictDoNothing()
        .returning(columnsWithout(accounts, 'passwordHash'));
      if (created === undefined) throw new EmailExists();
      await addMember(session, taken, created.id);
      return { account: created, environmentId: taken.environmentId };
    });
  }
}

type Taken = Pick<typeof invitations.$inferSelect, 'environmentId' | 'email' | 'role'>;

/** Removes an open invitation, so that it is accepted once. */
async function take({ db }: TransactionSession, hash: Uint8Array): Promise<Taken | null> {
  const [taken] = await db
    .delete(invitations)
    .where(and(eq(invitations.hash, hash), IS_OPEN))
    .returning({
      environmentId: invitations.environmentId,
      email: invitations.email,
      role: invitations.role,
    });
  return taken ?? null;
}

async function addMember(
  { db }: TransactionSession,
  { environmentId, role }: Taken,
  accountId: string,
): Promise<void> {
  const added = await db
    .insert(members)
    .values({ environmentId, accountId, role })
    .onConflictDoNothing()
    .returning({ accountId: members.accountId });
  if (added.length === 0) throw new MemberExists();
}
