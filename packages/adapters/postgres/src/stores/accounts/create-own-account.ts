import type { Account } from '@sightline/core/accounts/account';
import { EmailExists } from '@sightline/core/accounts/account-errors';
import type { NewAccount } from '@sightline/core/accounts/account-store';
import type { Login } from '@sightline/core/accounts/login';
import { actorOf } from '@sightline/core/store/actor';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { accounts } from '../../schema/accounts.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { ACCOUNT_COLUMNS } from './accounts.ts';
import { addLogin } from './add-login.ts';

export interface OwnAccount
  extends Pick<NewAccount, 'email' | 'name' | 'passwordHash'>, Pick<Account, 'emailVerified'> {
  readonly requestId: string;
  /** The login of the account, which then has no password. */
  readonly login?: Login;
}

/**
 * Creates the account of the person who sends the request.
 *
 * @throws EmailExists, LinkedElsewhere
 */
export async function createOwnAccount(
  session: TransactionSession,
  { requestId, login, ...account }: OwnAccount,
): Promise<Account> {
  const [created] = await session.db
    .insert(accounts)
    .values({ ...account, isAdmin: false, passwordBy: 'owner' })
    .onConflictDoNothing()
    .returning(ACCOUNT_COLUMNS);
  if (created === undefined) throw new EmailExists();
  const by = { accountId: created.id, requestId };
  const entry = { entity: 'user', action: 'create', ids: [created.id] } as const;
  await recordAudit(session, { environmentId: null, actor: actorOf(by) }, entry);
  if (login !== undefined) await addLogin(session, login, by);
  return created;
}
