import type { EventMessage } from '@sightline/contracts/events/event-message';
import type { DomainEvent } from '@sightline/core/events/domain-event';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { CURRENT_OPERATION } from '../../doors/begin-operation.ts';
import { toEventMessage } from './to-event-message.ts';

/** Writes events in the given order, in the transaction of the change that caused them. */
export function emitEvents(
  session: TransactionSession,
  environmentId: number,
  events: readonly DomainEvent[],
): Promise<void> {
  return write(session, { environmentId, events, isUndo: false });
}

/** Writes events of an undo, with the transaction's operation, which its first change has created. */
export function emitEventsOfUndo(
  session: TransactionSession,
  environmentId: number,
  events: readonly DomainEvent[],
): Promise<void> {
  return write(session, { environmentId, events, isUndo: true });
}

interface Written {
  readonly environmentId: number;
  readonly events: readonly DomainEvent[];
  readonly isUndo: boolean;
}

/**
 * Identities are looked up one by one. A join would keep the plan from when there were few identities, and read all of them
 * each time.
 */
async function write(
  session: TransactionSession,
  { environmentId, events, isUndo }: Written,
): Promise<void> {
  if (events.length === 0) return;
  const messages = events.map((event) => toEventMessage(event));
  await session.prepared(
    'emit-events',
    `INSERT INTO outbox (environment_id, event, version, data)
     SELECT $1::bigint, e.event, e.version,
       (CASE WHEN e.identity_id IS NULL THEN left(e.data, -1)
       ELSE left(e.data, -length('${WITHOUT_REF}'))
         || coalesce((
           SELECT to_json(i.external_ref)::text FROM identities i
           WHERE i.environment_id = $1 AND i.id = e.identity_id), 'null') END
         || CASE WHEN $6 THEN coalesce(',"operation_id":' || ${CURRENT_OPERATION}, '') ELSE '' END || '}')::json
     FROM unnest($2::text[], $3::smallint[], $4::text[], $5::bigint[]) WITH ORDINALITY
       AS e (event, version, data, identity_id, place)
     ORDER BY e.place`,
    [
      environmentId,
      messages.map(({ event }) => event),
      messages.map(({ version }) => version),
      messages.map(({ data }) => JSON.stringify(data)),
      messages.map(identityWithoutRef),
      isUndo,
    ],
  );
}

/** The end of the JSON text of an event whose `external_ref` is still null. The statement fills in the value. */
const WITHOUT_REF = 'null}';

/** The identity whose `external_ref` the statement must add as the last member; null for other events. */
function identityWithoutRef({ event, data }: EventMessage): number | null {
  const isOfKnown =
    event === 'identity.updated' || event === 'identity.merged' || event === 'identity.deleted';
  return isOfKnown && data.external_ref === null ? data.identity_id : null;
}
