import { SETTINGS } from '@sightline/core/settings/settings-catalog';
import type { Actor } from '@sightline/core/store/actor';
import type { CurrentOperation } from '@sightline/core/store/current-operation';
import pg from 'pg';

/** SQL for the id of the transaction's operation; null before its first change, and if it belongs to none. */
export const CURRENT_OPERATION = `nullif(current_setting('sightline.operation_id', true), '')::bigint`;

/**
 * Returns the statement that names the operation of a transaction, whose changes triggers record. The values of records are
 * kept for the days of the environment's setting.
 */
export function beginOperation(
  environmentId: number,
  actor: Actor,
  { id, kind, undoes, isPurge }: Pick<CurrentOperation, 'id' | 'kind' | 'undoes' | 'isPurge'>,
): string {
  const isRequest = actor.kind === 'request';
  const operation = {
    kind,
    undoes,
    user_id: isRequest ? actor.accountId : null,
    key_id: isRequest ? actor.keyId : null,
    ...(isPurge && { purges: true }),
  };
  const days = isPurge
    ? `'0'`
    : `coalesce((
        SELECT value FROM environment_settings
        WHERE environment_id = ${environmentId} AND key = 'curation.undo_days'
          AND jsonb_typeof(value) = 'number'), '${SETTINGS['curation.undo_days'].default}')`;
  const text = pg.escapeLiteral(JSON.stringify(operation));
  return `SELECT
    set_config('sightline.operation', jsonb_set(${text}, '{undo_days}', ${days})::text, true),
    set_config('sightline.operation_id', '${id ?? ''}', true)`;
}
