import { type Actor, actorOf } from '@sightline/core/store/actor';
import type { MemberActor } from '@sightline/core/accounts/member-store';
import { and, eq, isNull, sql } from '../../drizzle.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { keys } from '../../schema/environments.ts';
import { invitations } from '../../schema/invitations.ts';
import { recordAudit, recordBy } from '../audit/record-audit.ts';

interface Made {
  readonly id: number;
  readonly environmentId: number;
}

/** Ends the invitations and revokes the keys that an account has made, in one environment or in all. */
export async function takeBack(
  session: TransactionSession,
  { accountId, environmentId }: { readonly accountId: string; readonly environmentId?: number },
  actor: Actor,
): Promise<void> {
  await endInvitations(session, { accountId, environmentId }, actor);
  const revoked = await session.db
    .update(keys)
    .set({ revokedAt: sql`now()` })
    .where(isValidKeyOf(accountId, environmentId))
    .returning({ id: keys.id, environmentId: keys.environmentId });
  for (const [of, ids] of byEnvironment(revoked)) {
    const entry = { entity: 'key', action: 'delete', ids } as const;
    await recordAudit(session, { environmentId: of, actor }, entry);
  }
}

/** Ends the invitations that an account has made in an environment, and gives its keys there to the actor. */
export async function takeOver(
  session: TransactionSession,
  by: MemberActor,
  accountId: string,
): Promise<void> {
  const { environmentId } = by;
  await endInvitations(session, { accountId, environmentId }, actorOf(by));
  const taken = await session.db
    .update(keys)
    .set({ createdBy: by.accountId })
    .where(isValidKeyOf(accountId, environmentId))
    .returning({ id: keys.id });
  if (taken.length === 0) return;
  const ids = taken.map(({ id }) => id);
  await recordBy(session, by, { entity: 'key', action: 'take_over', ids });
}

async function endInvitations(
  session: TransactionSession,
  {
    accountId,
    environmentId,
  }: { readonly accountId: string; readonly environmentId?: number | undefined },
  actor: Actor,
): Promise<void> {
  const isThere =
    environmentId === undefined ? undefined : eq(invitations.environmentId, environmentId);
  const ended = await session.db
    .delete(invitations)
    .where(and(eq(invitations.createdBy, accountId), isThere))
    .returning({ id: invitations.id, environmentId: invitations.environmentId });
  for (const [of, ids] of byEnvironment(ended)) {
    const entry = { entity: 'invitation', action: 'revoke', ids } as const;
    await recordAudit(session, { environmentId: of, actor }, entry);
  }
}

function isValidKeyOf(accountId: string, environmentId: number | undefined) {
  const isThere = environmentId === undefined ? undefined : eq(keys.environmentId, environmentId);
  return and(eq(keys.createdBy, accountId), isNull(keys.revokedAt), isThere);
}

function byEnvironment(made: readonly Made[]): ReadonlyMap<number, readonly number[]> {
  const groups = Map.groupBy(made, ({ environmentId }) => environmentId);
  return new Map([...groups].map(([of, some]) => [of, some.map(({ id }) => id)]));
}
