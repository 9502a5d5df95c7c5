import type { MemberActor } from '@sightline/core/accounts/member-store';
import { type Actor, actorOf, SERVICE } from '@sightline/core/store/actor';
import type { AuditEntry } from '@sightline/core/audit/audit-entry';
import type { TransactionSession } from '../../doors/transaction-session.ts';

export interface AuditSubject {
  /** Null for an action on the installation. */
  readonly environmentId: number | null;
  readonly actor: Actor | undefined;
}

const INSERT = `
  INSERT INTO audit
    (environment_id, user_id, key_id, request_id, entity_type, action, entity_ids, details)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Adds an entry in the transaction of the action. */
export async function recordAudit(
  session: TransactionSession,
  { environmentId, actor = SERVICE }: AuditSubject,
  entry: AuditEntry,
): Promise<void> {
  await session.prepared('record-audit', INSERT, [environmentId, ...valuesOf(actor, entry)]);
}

/** Adds an entry of an account that acts in an environment. */
export function recordBy(
  session: TransactionSession,
  by: MemberActor,
  entry: AuditEntry,
): Promise<void> {
  return recordAudit(session, { environmentId: by.environmentId, actor: actorOf(by) }, entry);
}

/** The values of the columns from `user_id` on. */
export function valuesOf(actor: Actor, entry: AuditEntry) {
  const { entity, action, ids, details } = entry;
  const isRequest = actor.kind === 'request';
  return [
    isRequest ? actor.accountId : null,
    isRequest ? actor.keyId : null,
    isRequest ? actor.requestId : null,
    entity,
    action,
    ids.map(String),
    JSON.stringify(isRequest ? (details ?? {}) : { ...details, actor: actor.kind }),
  ] as const;
}
