import { sql } from '../../drizzle.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { HORIZON } from '../events/outbox-rows.ts';

/**
 * How long writes with a replaced model are accepted. A process notices a switch up to two seconds late, and a request
 * may take half a minute.
 */
export const COUNTS_FOR = sql.raw(`interval '60 seconds'`);

/**
 * Records the model that is about to be replaced, unless the same model is already active in the slot.
 * The time is the time of this statement, because the transaction may have waited for others before.
 *
 * @param rolledBack the reason if this switch is a rollback, otherwise null
 */
export async function noteSwitch(
  session: TransactionSession,
  modelId: number,
  rolledBack: string | null,
): Promise<void> {
  await session.query(
    `INSERT INTO activations AS a (slot, previous_id, switched_at, horizon, rolled_back)
     SELECT CASE WHEN task = 'face' THEN 'face' ELSE 'object' END, id, clock_timestamp(),
       (${HORIZON}), $2::text
     FROM models
     WHERE status = 'active' AND id <> $1
       AND (task = 'face') = (SELECT task = 'face' FROM models WHERE id = $1)
     ON CONFLICT (slot) DO UPDATE
       SET previous_id = excluded.previous_id, switched_at = excluded.switched_at,
         horizon = excluded.horizon, rolled_back = excluded.rolled_back`,
    [modelId, rolledBack],
  );
}
