import type { Account, AccountActor } from '@sightline/core/accounts/account';
import { type Login, NO_PASSWORD } from '@sightline/core/accounts/login';
import type { LoginStore, SignUp, WaysToSignIn } from '@sightline/core/accounts/login-store';
import {
  AlreadyLinked,
  LastSignIn,
  LinkedElsewhere,
  LinkSessionEnded,
} from '@sightline/core/accounts/sign-on-errors';
import { actorOf } from '@sightline/core/store/actor';
import { and, eq, not, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { accounts, logins, sessions } from '../../schema/accounts.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { ACCOUNT_COLUMNS } from './accounts.ts';
import { addLogin } from './add-login.ts';
import { createOwnAccount } from './create-own-account.ts';
import { IS_EXPIRED } from './sessions.ts';

export class PostgresLoginStore implements LoginStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async accountOf(login: Login, signal?: AbortSignal): Promise<Account | null> {
    const [found] = await this.#doors.onPlatform(
      'accounts',
      ({ db }) =>
        db
          .select(ACCOUNT_COLUMNS)
          .from(logins)
          .innerJoin(accounts, eq(accounts.id, logins.accountId))
          .where(isLogin(login)),
      signal,
    );
    return found ?? null;
  }

  signUp(login: Login, signUp: SignUp): Promise<Account> {
    const own = { ...signUp, login, emailVerified: true, passwordHash: NO_PASSWORD };
    return this.#doors.withPlatform('accounts', (session) => createOwnAccount(session, own));
  }

  bind(login: Login, by: AccountActor & { readonly sessionId: number }): Promise<void> {
    return this.#doors.withPlatform('accounts', async (session) => {
      await lockSignedIn(session, by);
      const ofIssuer = and(eq(logins.accountId, by.accountId), eq(logins.issuer, login.issuer));
      const [own] = await session.db.select().from(logins).where(ofIssuer);
      if (own?.subject === login.subject) return;
      const [other] = await session.db.select().from(logins).where(isLogin(login));
      if (other !== undefined) throw new LinkedElsewhere();
      if (own !== undefined) throw new AlreadyLinked();
      await addLogin(session, login, by);
    });
  }

  unbind(issuer: string, by: AccountActor): Promise<boolean> {
    const { accountId } = by;
    return this.#doors.withPlatform('accounts', async (session) => {
      const { db } = session;
      const [account] = await db
        .select({ hash: accounts.passwordHash })
        .from(accounts)
        .where(eq(accounts.id, accountId))
        .for('no key update');
      const removed = await db
        .delete(logins)
        .where(and(eq(logins.accountId, accountId), eq(logins.issuer, issuer)))
        .returning({ issuer: logins.issuer });
      if (removed.length === 0) return false;
      if (account!.hash === NO_PASSWORD) throw new LastSignIn();
      const details = { issuer };
      const entry = { entity: 'user', action: 'unbind_login', ids: [accountId], details } as const;
      await recordAudit(session, { environmentId: null, actor: actorOf(by) }, entry);
      return true;
    });
  }

  async waysOf(
    accountId: string,
    issuer: string | null,
    signal?: AbortSignal,
  ): Promise<WaysToSignIn> {
    const [found] = await this.#doors.onPlatform(
      'accounts',
      ({ db }) =>
        db
          .select({ hash: accounts.passwordHash, login: logins.subject })
          .from(accounts)
          .leftJoin(logins, and(eq(logins.accountId, accounts.id), eq(logins.issuer, issuer ?? '')))
          .where(eq(accounts.id, accountId)),
      signal,
    );
    const { hash = NO_PASSWORD, login = null } = found ?? {};
    return { hasPassword: hash !== NO_PASSWORD, hasLogin: login !== null };
  }
}

function isLogin({ issuer, subject }: Login) {
  return and(eq(logins.issuer, issuer), eq(logins.subject, subject));
}

/**
 * Locks an account with one of its sessions, so that a login is bound only while both are valid.
 *
 * @throws LinkSessionEnded
 */
async function lockSignedIn(
  { db }: TransactionSession,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: number },
): Promise<void> {
  const isAble = and(eq(accounts.id, accountId), eq(accounts.isDisabled, false));
  const able = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(isAble)
    .for('no key update');
  const isOpen = and(
    eq(sessions.id, sessionId),
    eq(sessions.accountId, accountId),
    not(sql`(${IS_EXPIRED})`),
  );
  const open = await db.select({ id: sessions.id }).from(sessions).where(isOpen).for('share');
  if (able.length === 0 || open.length === 0) throw new LinkSessionEnded();
}
