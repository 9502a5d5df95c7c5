import type { Account, MemberRole } from '@sightline/core/accounts/account';
import {
  type FoundSession,
  MOST_SESSIONS,
  type NewSession,
  SESSION_DAYS,
  SESSION_IDLE_DAYS,
  type SessionRecord,
  type SessionStore,
} from '@sightline/core/accounts/session-store';
import { actorOf } from '@sightline/core/store/actor';
import { and, desc, eq, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { accounts, logins, sessions } from '../../schema/accounts.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { anyOf } from '../database/any-of.ts';
import { columnsWithout } from '../database/columns-without.ts';

type FoundRow = Account & {
  readonly sessionId: number;
  readonly openedAt: Date;
  readonly lastUsedAt: Date;
  readonly environmentId: number | null;
  readonly countedOwnerId: string | null;
  readonly role: MemberRole | null;
};

/** The most expired sessions that one sign-in removes. */
const EXPIRED_AT_ONCE = 100;
/** A condition on a row of sessions. */
export const IS_EXPIRED = sql`${sessions.createdAt} < now() - make_interval(days => ${SESSION_DAYS})
  or ${sessions.lastUsedAt} < now() - make_interval(days => ${SESSION_IDLE_DAYS})`;

/**
 * Finds a session, its account, and the membership in one environment: the one that the request names ($2), else the
 * account's default, else the one of the oldest membership.
 */
const FIND = `
  SELECT s.id AS "sessionId", s.created_at AS "openedAt", s.last_used_at AS "lastUsedAt",
    a.id, a.email, a.email_verified AS "emailVerified", a.name, a.locale,
    a.is_admin AS "isAdmin", a.is_disabled AS "isDisabled",
    a.password_by AS "passwordBy", a.default_environment_id AS "defaultEnvironmentId",
    a.created_at AS "createdAt", m.environment_id AS "environmentId", m.owner_id AS "countedOwnerId", m.role
  FROM sessions s JOIN accounts a ON a.id = s.account_id
  LEFT JOIN LATERAL (
    SELECT m.environment_id, o.id AS owner_id, m.role FROM members m
    JOIN environments e ON e.id = m.environment_id AND e.deleting_since IS NULL
    LEFT JOIN accounts o ON o.id = e.owner_id AND NOT o.is_admin
    WHERE m.account_id = a.id AND ($2::bigint IS NULL OR m.environment_id = $2)
    ORDER BY m.environment_id = a.default_environment_id DESC NULLS LAST, m.since, m.environment_id
    LIMIT 1
  ) m ON true
  WHERE s.hash = $1`;

export class PostgresSessionStore implements SessionStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  /** Also removes sessions that have expired, of all accounts. */
  async open(opened: NewSession): Promise<boolean> {
    const { accountId, hash, requestId, address, userAgent } = opened;
    return this.#doors.withPlatform('accounts', async (session) => {
      const { db } = session;
      // The lock keeps the password, the logins and the state of the account until the session is there.
      if (!(await lockProven(session, opened))) return false;
      await db.delete(sessions).where(sql`${sessions.id} in (
        select id from ${sessions} where ${IS_EXPIRED} limit ${EXPIRED_AT_ONCE}
          for update skip locked)
        or ${sessions.id} in (
          select id from ${sessions} where ${sessions.accountId} = ${accountId}
          order by id desc offset ${MOST_SESSIONS - 1})`);
      await db.insert(sessions).values({ accountId, hash, address, userAgent });
      const entry = {
        entity: 'user',
        action: 'sign_in',
        ids: [accountId],
        details: { address, ...('login' in opened && { by: 'oidc' }) },
      } as const;
      const actor = actorOf({ accountId, requestId });
      await recordAudit(session, { environmentId: null, actor }, entry);
      return true;
    });
  }

  async find(
    hash: Uint8Array,
    environmentId: number | null,
    signal?: AbortSignal,
  ): Promise<FoundSession | null> {
    const [row] = await this.#doors.onPlatform(
      'accounts',
      (session) => session.prepared<FoundRow>('find-session', FIND, [hash, environmentId]),
      signal,
    );
    if (row === undefined) return null;
    const {
      sessionId: id,
      openedAt,
      lastUsedAt,
      environmentId: chosen,
      countedOwnerId,
      role,
      ...account
    } = row;
    const membership =
      chosen === null ? null : { environmentId: chosen, countedOwnerId, role: role! };
    return { id, createdAt: openedAt, lastUsedAt, account, membership };
  }

  list(accountId: string, signal?: AbortSignal): Promise<readonly SessionRecord[]> {
    return this.#doors.onPlatform(
      'accounts',
      ({ db }) =>
        db
          .select(columnsWithout(sessions, 'hash', 'accountId'))
          .from(sessions)
          .where(and(eq(sessions.accountId, accountId), sql`not (${IS_EXPIRED})`))
          .orderBy(desc(sessions.id)),
      signal,
    );
  }

  async touch(id: number, at: Date): Promise<void> {
    await this.#doors.onPlatform('accounts', ({ db }) =>
      db
        .update(sessions)
        .set({ lastUsedAt: at })
        .where(and(eq(sessions.id, id), sql`${sessions.lastUsedAt} < ${at.toISOString()}`)),
    );
  }

  async end(accountId: string, id: number): Promise<boolean> {
    const ended = await this.#doors.onPlatform('accounts', ({ db }) =>
      db
        .delete(sessions)
        .where(and(eq(sessions.accountId, accountId), eq(sessions.id, id)))
        .returning({ id: sessions.id }),
    );
    return ended.length > 0;
  }

  async endAll(hashes: readonly Uint8Array[]): Promise<readonly number[]> {
    const ended = await this.#doors.onPlatform('accounts', ({ db }) =>
      db
        .delete(sessions)
        .where(
          anyOf(
            sessions.hash,
            hashes.map((hash) => Buffer.from(hash)),
          ),
        )
        .returning({ id: sessions.id }),
    );
    return ended.map(({ id }) => id);
  }
}

/** Locks an account, unless it is disabled or has lost the password or the login by which it signs in. */
async function lockProven({ db }: TransactionSession, opened: NewSession): Promise<boolean> {
  const { accountId } = opened;
  const isAble = and(eq(accounts.id, accountId), eq(accounts.isDisabled, false));
  const isValid =
    'passwordHash' in opened ? and(isAble, eq(accounts.passwordHash, opened.passwordHash)) : isAble;
  const valid = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(isValid)
    .for('no key update');
  if (valid.length === 0) return false;
  if (!('login' in opened)) return true;
  // A statement that has waited for the lock sees the logins as they were before it.
  const { issuer, subject } = opened.login;
  const isLogin = and(eq(logins.issuer, issuer), eq(logins.subject, subject));
  const own = await db
    .select({ issuer: logins.issuer })
    .from(logins)
    .where(and(eq(logins.accountId, accountId), isLogin));
  return own.length > 0;
}
