import { Forbidden } from '@sightline/core/access/access-errors';
import { LastEnvironment } from '@sightline/core/accounts/account-errors';
import type { MemberRole } from '@sightline/core/accounts/account';
import type { MemberActor } from '@sightline/core/accounts/member-store';
import { NotFound } from '@sightline/core/store/not-found';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { recordBy } from '../audit/record-audit.ts';
import { lockAble, lockStored } from './lock-environment.ts';

interface FoundMember {
  readonly role: MemberRole;
  /** Null if no deletion was requested before. */
  readonly deletionId: number | null;
}

/**
 * Marks an environment as deleting, and returns the id of its deletion. The account is locked, so that it keeps an
 * environment.
 */
export async function requestDeletion(
  session: TransactionSession,
  by: MemberActor,
): Promise<number> {
  const { accountId, environmentId } = by;
  await lockStored(session, environmentId);
  await lockAble(session, accountId);
  const [member] = await session.query<FoundMember>(MEMBER, [accountId, environmentId]);
  if (member === undefined) throw new NotFound('environment', environmentId);
  if (member.role !== 'owner') {
    throw new Forbidden('Only an owner of the environment may delete it.');
  }
  if (member.deletionId !== null) return member.deletionId;
  const [owned] = await session.query<{ others: number }>(OTHERS, [accountId, environmentId]);
  if (owned!.others === 0) throw new LastEnvironment();
  await session.query('UPDATE environments SET deleting_since = now() WHERE id = $1', [
    environmentId,
  ]);
  const [requested] = await session.query<{ id: number }>(INSERT, [environmentId]);
  await session.query('UPDATE webhooks SET is_active = false WHERE environment_id = $1', [
    environmentId,
  ]);
  await session.query(
    'UPDATE accounts SET default_environment_id = NULL WHERE default_environment_id = $1',
    [environmentId],
  );
  const entry = { entity: 'environment', action: 'delete', ids: [environmentId] } as const;
  await recordBy(session, by, entry);
  return requested!.id;
}

const MEMBER = `
  SELECT m.role, d.id AS "deletionId" FROM members m
  LEFT JOIN environment_deletions d ON d.environment_id = m.environment_id
  WHERE m.account_id = $1 AND m.environment_id = $2`;

/** Counts the other environments that the account owns. */
const OTHERS = `
  SELECT count(*) AS others FROM members m
  JOIN environments e ON e.id = m.environment_id AND e.deleting_since IS NULL
  WHERE m.account_id = $1 AND m.environment_id <> $2 AND m.role = 'owner'`;

const INSERT = `
  INSERT INTO environment_deletions (environment_id, total)
  SELECT $1, greatest(coalesce(sum(delta), 0), 0) FROM counter_deltas
  WHERE environment_id = $1 AND subject_id = 0
    AND counter IN ('source_images', 'face_detections', 'object_detections')
  RETURNING id`;
