import { type MemberRole, MEMBER_ROLES } from '@sightline/core/accounts/account';
import { KeysWithoutOwner, LastOwner, OwnerExists } from '@sightline/core/accounts/account-errors';
import type { Member, MemberActor, MemberStore } from '@sightline/core/accounts/member-store';
import { type Actor, actorOf } from '@sightline/core/store/actor';
import { NotFound } from '@sightline/core/store/not-found';
import { and, asc, eq } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { accounts } from '../../schema/accounts.ts';
import { environments } from '../../schema/environments.ts';
import { members } from '../../schema/members.ts';
import { recordAudit, recordBy } from '../audit/record-audit.ts';
import {
  lockAble,
  lockAsOwner,
  lockEnvironment,
  type LockedEnvironment,
  lockOwner,
  requireFreeName,
  requireOwner,
  requireRole,
} from './lock-environment.ts';
import { takeBack, takeOver } from './take-back.ts';

const COLUMNS = {
  accountId: members.accountId,
  email: accounts.email,
  emailVerified: accounts.emailVerified,
  name: accounts.name,
  role: members.role,
  since: members.since,
};

export class PostgresMemberStore implements MemberStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  list(actor: MemberActor, signal?: AbortSignal): Promise<readonly Member[]> {
    return this.#doors.withPlatform(
      'accounts',
      async (session) => {
        await requireOwner(session, actor);
        return membersOf(session, actor.environmentId).orderBy(
          asc(members.since),
          asc(members.accountId),
        );
      },
      signal,
    );
  }

  change(
    actor: MemberActor,
    accountId: string,
    { role, keepsKeys }: { readonly role: MemberRole; readonly keepsKeys: boolean },
  ): Promise<Member> {
    return this.#doors.withPlatform('accounts', async (session) => {
      await lockAsOwner(session, actor);
      const { environmentId } = actor;
      const before = await requireMember(session, environmentId, accountId);
      if (before.role === role) return before;
      await session.db.update(members).set({ role }).where(isMember(environmentId, accountId));
      if (MEMBER_ROLES.indexOf(role) < MEMBER_ROLES.indexOf(before.role)) {
        await end(session, actor, { accountId, keepsKeys });
        await requireOwnerLeft(session, environmentId, before);
      }
      const details = { role, previous: before.role };
      await recordBy(session, actor, {
        entity: 'member',
        action: 'change',
        ids: [accountId],
        details,
      });
      return { ...before, role };
    });
  }

  async remove(
    actor: MemberActor,
    accountId: string,
    { keepsKeys }: { readonly keepsKeys: boolean },
  ): Promise<void> {
    await this.#doors.withPlatform('accounts', async (session) => {
      const { environmentId } = actor;
      const environment = await lockEnvironment(session, environmentId);
      await lockAble(session, actor.accountId);
      if (actor.accountId === accountId) await requireRole(session, actor);
      else await requireOwner(session, actor);
      const before = await requireMember(session, environmentId, accountId);
      await session.db.delete(members).where(isMember(environmentId, accountId));
      await end(session, actor, { accountId, keepsKeys });
      await requireOwnerLeft(session, environmentId, before);
      if (environment.ownerId === accountId) await passOn(session, environmentId, environment);
      await recordBy(session, actor, { entity: 'member', action: 'remove', ids: [accountId] });
    });
  }

  appointOwner(environmentId: number, accountId: string, actor: Actor): Promise<Member> {
    return this.#doors.withPlatform('accounts', async (session) => {
      await lockEnvironment(session, environmentId);
      const { db } = session;
      if (await hasAbleOwner(session, environmentId)) throw new OwnerExists();
      const [account] = await db
        .select({ id: accounts.id })
        .from(accounts)
        .where(and(eq(accounts.id, accountId), eq(accounts.isDisabled, false)));
      if (account === undefined) throw new NotFound('user', accountId);
      await db
        .insert(members)
        .values({ environmentId, accountId, role: 'owner' })
        .onConflictDoUpdate({
          target: [members.environmentId, members.accountId],
          set: { role: 'owner' },
        });
      const entry = { entity: 'member', action: 'appoint', ids: [accountId] } as const;
      await recordAudit(session, { environmentId, actor }, entry);
      return requireMember(session, environmentId, accountId);
    });
  }
}

function membersOf({ db }: TransactionSession, environmentId: number) {
  return db
    .select(COLUMNS)
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(members.environmentId, environmentId))
    .$dynamic();
}

function isMember(environmentId: number, accountId: string) {
  return and(eq(members.environmentId, environmentId), eq(members.accountId, accountId));
}

async function requireMember(
  session: TransactionSession,
  environmentId: number,
  accountId: string,
): Promise<Member> {
  const [found] = await membersOf(session, environmentId).where(isMember(environmentId, accountId));
  if (found === undefined) throw new NotFound('member', accountId);
  return found;
}

/** Ends what an account has made in the environment, or gives its keys to the actor. */
async function end(
  session: TransactionSession,
  actor: MemberActor,
  { accountId, keepsKeys }: { readonly accountId: string; readonly keepsKeys: boolean },
): Promise<void> {
  if (!keepsKeys) {
    const { environmentId } = actor;
    await takeBack(session, { accountId, environmentId }, actorOf(actor));
    return;
  }
  if (actor.accountId === accountId) throw new KeysWithoutOwner();
  await takeOver(session, actor, accountId);
}

/** An owner may not go without another one. Other members may, even if all owners are disabled. */
async function requireOwnerLeft(
  session: TransactionSession,
  environmentId: number,
  before: Member,
): Promise<void> {
  if (before.role !== 'owner' || (await hasAbleOwner(session, environmentId))) return;
  throw new LastOwner();
}

async function hasAbleOwner(session: TransactionSession, environmentId: number): Promise<boolean> {
  const isAbleOwner = and(
    eq(members.environmentId, environmentId),
    eq(members.role, 'owner'),
    eq(accounts.isDisabled, false),
  );
  const found = await session.db
    .select({ accountId: members.accountId })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(isAbleOwner)
    .limit(1);
  return found.length > 0;
}

/** Passes an environment whose creator has left to the oldest owner. */
async function passOn(
  session: TransactionSession,
  environmentId: number,
  { name }: LockedEnvironment,
): Promise<void> {
  const [next] = await session.db
    .select({ accountId: members.accountId })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(and(eq(members.environmentId, environmentId), eq(members.role, 'owner')))
    .orderBy(asc(accounts.isDisabled), asc(members.since), asc(members.accountId))
    .limit(1);
  // A creator with another role may leave while all owners are disabled.
  if (next === undefined) return;
  const ownerId = next.accountId;
  await lockOwner(session, ownerId);
  await requireFreeName(session, { ownerId, name, environmentId });
  await session.db.update(environments).set({ ownerId }).where(eq(environments.id, environmentId));
}
