import { Forbidden, Unauthenticated } from '@sightline/core/access/access-errors';
import { EnvironmentExists } from '@sightline/core/accounts/account-errors';
import type { MemberRole } from '@sightline/core/accounts/account';
import type { MemberActor } from '@sightline/core/accounts/member-store';
import { NotFound } from '@sightline/core/store/not-found';
import { and, eq, isNull, ne, sql } from '../../drizzle.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { accounts } from '../../schema/accounts.ts';
import { environments } from '../../schema/environments.ts';
import { members } from '../../schema/members.ts';

export interface LockedEnvironment {
  readonly name: string;
  readonly isDeleting: boolean;
  /** The creator of the environment; null for environments from before the first account. */
  readonly ownerId: string | null;
}

/**
 * Locks an environment, so that its name and its members change one after the other. A transaction that also locks an
 * account locks the environment first.
 *
 * @throws NotFound, also while the environment is being deleted
 */
export async function lockEnvironment(
  session: TransactionSession,
  environmentId: number,
): Promise<LockedEnvironment> {
  const found = await lockStored(session, environmentId);
  if (found.isDeleting) throw new NotFound('environment', environmentId);
  return found;
}

/**
 * Locks an environment like {@link lockEnvironment}, even if it is being deleted.
 *
 * @throws NotFound
 */
export async function lockStored(
  { db }: TransactionSession,
  environmentId: number,
): Promise<LockedEnvironment> {
  const [found] = await db
    .select({
      name: environments.name,
      ownerId: environments.ownerId,
      isDeleting: sql<boolean>`${environments.deletingSince} is not null`,
    })
    .from(environments)
    .where(eq(environments.id, environmentId))
    .for('no key update');
  if (found === undefined) throw new NotFound('environment', environmentId);
  return found;
}

/**
 * Locks an environment like {@link lockEnvironment} for one of its owners.
 *
 * @throws NotFound if the account is no member; Forbidden if it is no owner
 */
export async function lockAsOwner(
  session: TransactionSession,
  actor: MemberActor,
): Promise<LockedEnvironment> {
  const locked = await lockEnvironment(session, actor.environmentId);
  await lockAble(session, actor.accountId);
  await requireOwner(session, actor);
  return locked;
}

/** @throws NotFound if the account is no member; Forbidden if it is no owner */
export async function requireOwner(session: TransactionSession, actor: MemberActor): Promise<void> {
  if ((await requireRole(session, actor)) !== 'owner') {
    throw new Forbidden('This request needs an owner of the environment.');
  }
}

/** @throws NotFound if the account is no member */
export async function requireRole(
  { db }: TransactionSession,
  { accountId, environmentId }: MemberActor,
): Promise<MemberRole> {
  const [found] = await db
    .select({ role: members.role })
    .from(members)
    .innerJoin(environments, eq(environments.id, members.environmentId))
    .where(
      and(
        eq(members.accountId, accountId),
        eq(members.environmentId, environmentId),
        isNull(environments.deletingSince),
      ),
    );
  if (found === undefined) throw new NotFound('environment', environmentId);
  return found.role;
}

/**
 * Locks an account that acts, so that nothing that it makes outlives its being disabled. A process may remember a session
 * for a few seconds.
 *
 * @throws Unauthenticated if the account is disabled
 */
export async function lockAble({ db }: TransactionSession, accountId: string): Promise<void> {
  const [found] = await db
    .select({ isDisabled: accounts.isDisabled })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for('no key update');
  if (found?.isDisabled !== false) throw new Unauthenticated();
}

/** Locks the account that owns environments, so that these keep their number and their names. */
export async function lockOwner({ db }: TransactionSession, accountId: string): Promise<void> {
  await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for('no key update');
}

/**
 * Requires that the account owns no other environment of this name, except for one that is being deleted. The caller
 * holds the lock of the account.
 *
 * @throws EnvironmentExists
 */
export async function requireFreeName(
  { db }: TransactionSession,
  {
    ownerId,
    name,
    environmentId,
  }: Pick<LockedEnvironment, 'ownerId' | 'name'> & { readonly environmentId: number },
): Promise<void> {
  const isTaken = and(
    sql`${environments.ownerId} is not distinct from ${ownerId}`,
    eq(environments.name, name),
    ne(environments.id, environmentId),
    isNull(environments.deletingSince),
  );
  if ((await db.$count(environments, isTaken)) > 0) throw new EnvironmentExists();
}
