import { LinkedElsewhere } from '@sightline/core/accounts/sign-on-errors';
import type { AccountActor } from '@sightline/core/accounts/account';
import type { Login } from '@sightline/core/accounts/login';
import { actorOf } from '@sightline/core/store/actor';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { logins } from '../../schema/accounts.ts';
import { recordAudit } from '../audit/record-audit.ts';

/**
 * Gives an account its first login of an issuer. The caller holds the lock of the account, or has just created it.
 *
 * @throws LinkedElsewhere
 */
export async function addLogin(
  session: TransactionSession,
  { issuer, subject }: Login,
  by: AccountActor,
): Promise<void> {
  const { accountId } = by;
  const added = await session.db
    .insert(logins)
    .values({ issuer, subject, accountId })
    .onConflictDoNothing()
    .returning({ accountId: logins.accountId });
  if (added.length === 0) throw new LinkedElsewhere();
  const details = { issuer };
  const entry = { entity: 'user', action: 'bind_login', ids: [accountId], details } as const;
  await recordAudit(session, { environmentId: null, actor: actorOf(by) }, entry);
}
