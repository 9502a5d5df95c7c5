import type { Account } from '@sightline/core/accounts/account';
import { EmailExists, LastAdministrator } from '@sightline/core/accounts/account-errors';
import type {
  AccountChanges,
  AccountStore,
  NewAccount,
  PasswordReplacement,
  ProfileChanges,
} from '@sightline/core/accounts/account-store';
import type { AuditEntry } from '@sightline/core/audit/audit-entry';
import { type Actor, SERVICE } from '@sightline/core/store/actor';
import { NotFound } from '@sightline/core/store/not-found';
import { and, asc, eq, isNull, ne, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { accounts, logins, sessions } from '../../schema/accounts.ts';
import { environments } from '../../schema/environments.ts';
import { members } from '../../schema/members.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { anyOf } from '../database/any-of.ts';
import { columnsWithout } from '../database/columns-without.ts';
import { lockAdministrators } from './lock-administrators.ts';
import { takeBack } from './take-back.ts';

export const ACCOUNT_COLUMNS = columnsWithout(accounts, 'passwordHash');

const IS_ABLE_ADMIN = and(eq(accounts.isAdmin, true), eq(accounts.isDisabled, false));

export class PostgresAccountStore implements AccountStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async insert(account: NewAccount, actor: Actor): Promise<Account> {
    return this.#doors.withPlatform('accounts', async (session) => {
      await lockAdministrators(session);
      const [inserted] = await session.db
        .insert(accounts)
        .values({ ...account, emailVerified: true })
        .onConflictDoNothing()
        .returning(ACCOUNT_COLUMNS);
      if (inserted === undefined) throw new EmailExists();
      if (inserted.isAdmin) await adoptEnvironments(session, inserted.id);
      const details = { is_admin: inserted.isAdmin };
      const entry = { entity: 'user', action: 'create', ids: [inserted.id], details } as const;
      await recordAudit(session, { environmentId: null, actor }, entry);
      return inserted;
    });
  }

  insertFirst(account: NewAccount): Promise<Account | null> {
    return this.#doors.withPlatform('accounts', async (session) => {
      const { db } = session;
      await lockAdministrators(session);
      const present = await db.select({ id: accounts.id }).from(accounts).limit(1);
      if (present.length > 0) return null;
      const [first] = await db
        .insert(accounts)
        .values({ ...account, emailVerified: true })
        .returning(ACCOUNT_COLUMNS);
      await adoptEnvironments(session, first!.id);
      const entry = { entity: 'user', action: 'create', ids: [first!.id] } as const;
      await recordAudit(session, { environmentId: null, actor: SERVICE }, entry);
      return first!;
    });
  }

  async areThere(signal?: AbortSignal): Promise<boolean> {
    const present = await this.#doors.onPlatform(
      'accounts',
      ({ db }) => db.select({ id: accounts.id }).from(accounts).limit(1),
      signal,
    );
    return present.length > 0;
  }

  list(signal?: AbortSignal): Promise<readonly Account[]> {
    return this.#doors.onPlatform(
      'accounts',
      ({ db }) =>
        db
          .select(ACCOUNT_COLUMNS)
          .from(accounts)
          .orderBy(asc(accounts.createdAt), asc(accounts.id)),
      signal,
    );
  }

  async names(ids: readonly string[], signal?: AbortSignal) {
    if (ids.length === 0) return new Map<string, string>();
    const rows = await this.#doors.onPlatform(
      'accounts',
      ({ db }) =>
        db
          .select({ id: accounts.id, name: accounts.name })
          .from(accounts)
          .where(anyOf(accounts.id, ids)),
      signal,
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  async byEmail(email: string, signal?: AbortSignal) {
    const [found] = await this.#doors.onPlatform(
      'accounts',
      ({ db }) => db.select().from(accounts).where(eq(accounts.email, email)),
      signal,
    );
    return found ?? null;
  }

  async byId(id: string, signal?: AbortSignal) {
    const [found] = await this.#doors.onPlatform(
      'accounts',
      ({ db }) => db.select().from(accounts).where(eq(accounts.id, id)),
      signal,
    );
    return found ?? null;
  }

  change(
    id: string,
    { passwordHash, ...rights }: AccountChanges,
    actor: Actor,
  ): Promise<Account | null> {
    const password = passwordHash !== undefined && {
      passwordHash,
      passwordBy: 'administrator' as const,
    };
    return this.#doors.withPlatform('accounts', async (session) => {
      const { db } = session;
      await lockAdministrators(session);
      const isThis = eq(accounts.id, id);
      const wasAble = (await db.$count(accounts, and(isThis, IS_ABLE_ADMIN))) > 0;
      const [changed] = await db
        .update(accounts)
        .set({ ...rights, ...password })
        .where(isThis)
        .returning(ACCOUNT_COLUMNS);
      if (changed === undefined) return null;
      if (wasAble && (await db.$count(accounts, IS_ABLE_ADMIN)) === 0)
        throw new LastAdministrator();
      if (changed.isAdmin) await adoptEnvironments(session, id);
      if (changed.isDisabled) await takeBack(session, { accountId: id }, actor);
      if (changed.isDisabled || password !== false) await endSessions(session, id, null);
      if (password !== false) await removeLogins(session, id, actor);
      const entry = changeOf(id, { ...rights, ...password });
      await recordAudit(session, { environmentId: null, actor }, entry);
      return changed;
    });
  }

  changeProfile(id: string, changes: ProfileChanges): Promise<Account> {
    return this.#doors.withPlatform('accounts', async ({ db }) => {
      const { defaultEnvironmentId: environmentId = null } = changes;
      if (environmentId !== null) {
        const isOwn = and(eq(members.accountId, id), eq(members.environmentId, environmentId));
        const own = await db.select({ id: members.environmentId }).from(members).where(isOwn);
        if (own.length === 0) throw new NotFound('environment', environmentId);
      }
      const [changed] = await db
        .update(accounts)
        .set(changes)
        .where(eq(accounts.id, id))
        .returning(ACCOUNT_COLUMNS);
      if (changed === undefined) throw new NotFound('user', id);
      return changed;
    });
  }

  replacePassword(
    id: string,
    { before, hash: passwordHash, keptSession, actor }: PasswordReplacement,
  ): Promise<boolean> {
    return this.#doors.withPlatform('accounts', async (session) => {
      const { db } = session;
      const isSame = and(
        eq(accounts.id, id),
        eq(accounts.passwordHash, before),
        eq(accounts.isDisabled, false),
      );
      const same = await db
        .select({ id: accounts.id })
        .from(accounts)
        .where(isSame)
        .for('no key update');
      // A statement that has waited for the lock sees the sessions as they were before it.
      const isKept = and(eq(sessions.id, keptSession), eq(sessions.accountId, id));
      const kept = await db.select({ id: sessions.id }).from(sessions).where(isKept);
      if (same.length === 0 || kept.length === 0) return false;
      await db
        .update(accounts)
        .set({ passwordHash, passwordBy: 'owner' })
        .where(eq(accounts.id, id));
      await endSessions(session, id, keptSession);
      const entry = { entity: 'user', action: 'change_password', ids: [id] } as const;
      await recordAudit(session, { environmentId: null, actor }, entry);
      return true;
    });
  }
}

/** The entry of a changed account. The hash of a password stays out of it. */
function changeOf(
  id: string,
  { isAdmin, isDisabled, emailVerified, passwordHash }: AccountChanges,
): AuditEntry<'user'> {
  const details = {
    ...(isAdmin !== undefined && { is_admin: isAdmin }),
    ...(isDisabled !== undefined && { disabled: isDisabled }),
    ...(emailVerified !== undefined && { email_verified: emailVerified }),
    ...(passwordHash !== undefined && { password: true }),
  };
  return { entity: 'user', action: 'change', ids: [id], details };
}

/**
 * Makes an administrator the owner of environments that have none. They are from before the first account, or a process
 * of a release without accounts has made them during an update. One whose name the administrator uses gets another name.
 */
async function adoptEnvironments(session: TransactionSession, accountId: string): Promise<void> {
  const { db } = session;
  const isTaken = sql`exists (select from environments o where o.owner_id = ${accountId}
    and o.name = ${environments}.name and o.deleting_since is null)`;
  const freeName = sql`${environments}.name || ' (' || ${environments}.id || ')'`;
  const owned = await db
    .update(environments)
    .set({
      ownerId: accountId,
      name: sql`case when ${isTaken} then ${freeName} else ${environments}.name end`,
    })
    .where(isNull(environments.ownerId))
    .returning({ environmentId: environments.id, since: environments.createdAt });
  if (owned.length === 0) return;
  const owner = { accountId, role: 'owner' } as const;
  await db.insert(members).values(owned.map((each) => ({ ...each, ...owner })));
  const entry = { entity: 'member', action: 'add', ids: [accountId] } as const;
  for (const { environmentId } of owned) {
    await recordAudit(session, { environmentId, actor: SERVICE }, entry);
  }
}

/** Removes all logins of an account, so that the new password is the only way to sign in. */
async function removeLogins(
  session: TransactionSession,
  accountId: string,
  actor: Actor,
): Promise<void> {
  const removed = await session.db
    .delete(logins)
    .where(eq(logins.accountId, accountId))
    .returning({ issuer: logins.issuer });
  for (const details of removed) {
    const entry = { entity: 'user', action: 'unbind_login', ids: [accountId], details } as const;
    await recordAudit(session, { environmentId: null, actor }, entry);
  }
}

async function endSessions(
  { db }: TransactionSession,
  accountId: string,
  kept: number | null,
): Promise<void> {
  const others = kept === null ? undefined : ne(sessions.id, kept);
  await db.delete(sessions).where(and(eq(sessions.accountId, accountId), others));
}
