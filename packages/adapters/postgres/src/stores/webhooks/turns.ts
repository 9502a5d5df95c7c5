import type { TurnWriter } from '@sightline/core/webhooks/delivery-queue';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { rowsOf } from '../database/rows-of.ts';

export function turnWriter(session: TransactionSession): TurnWriter {
  return {
    async wake(events) {
      const kinds = new Map(
        events.map(({ environmentId, event }) => [
          `${environmentId} ${event}`,
          { environmentId, event },
        ]),
      );
      if (kinds.size === 0) return;
      const distinct = [...kinds.values()];
      await session.prepared('wake-webhooks', WAKE, [
        distinct.map(({ environmentId }) => environmentId),
        distinct.map(({ event }) => event),
      ]);
    },
  };
}

/**
 * Makes webhooks due. The statement waits for a webhook that is being released, even if it is already due. Otherwise
 * the releasing transaction would miss the new events and leave the webhook idle. A webhook without events is soon
 * released again. A webhook that is still due after the wait is not written, because an environment may have many that
 * wait for their turn.
 */
const WAKE = `
  WITH turn AS MATERIALIZED (
    SELECT t.environment_id, t.webhook_id, t.due_at FROM webhook_turns t
    JOIN webhooks w ON w.environment_id = t.environment_id AND w.id = t.webhook_id
    WHERE t.environment_id = ANY ($1::bigint[]) AND w.is_active AND EXISTS (
      SELECT FROM ${rowsOf('$1::bigint[]', '$2::text[]')} AS new_event (environment_id, event)
      WHERE new_event.environment_id = t.environment_id
        AND (w.events = '{}' OR new_event.event = ANY (w.events)))
    ORDER BY t.environment_id, t.webhook_id FOR NO KEY UPDATE OF t
  )
  UPDATE webhook_turns t SET due_at = now() FROM turn
  WHERE t.environment_id = turn.environment_id AND t.webhook_id = turn.webhook_id
    AND (turn.due_at IS NULL OR turn.due_at > now())`;
