import { randomUUID } from 'node:crypto';
import type {
  ClaimOutcome,
  CompletedAnswer,
  IdempotencyClaim,
  IdempotencyStore,
} from '@sightline/core/idempotency/idempotency-store';
import type { Scope } from '@sightline/core/store/scope';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { CURRENT_OPERATION } from '../../doors/begin-operation.ts';
import type { Doors } from '../../doors/doors.ts';
import type { WriteContext } from '../database/store-context.ts';

const LEASE = `interval '30 seconds'`;
const KEPT = `interval '24 hours'`;

/** Selects the row of the same request under its former key. $1 is the environment, and $3 the fingerprint. */
const isFormer = (formerKey: string) =>
  `environment_id = $1 AND key = ${formerKey} AND fingerprint = $3 AND created_at > now() - ${KEPT}`;

interface KeyRow {
  readonly fingerprint: Uint8Array;
  readonly status: number | null;
  readonly body: unknown;
  readonly operationId: number | null;
}

/** Stores each key in a single row that no other row references, so the row lock is the only lock. */
export function idempotencyStore(doors: Doors): IdempotencyStore {
  return {
    async claim(scope, { key, formerKey, fingerprint }, signal) {
      const token = randomUUID();
      return doors.withEntities(
        { ...scope, locks: [] },
        async (session): Promise<ClaimOutcome> => {
          // The statement claims a key that is new or expired, or whose request was abandoned. It claims none that an
          // earlier release has stored for the same request, and whose key does not name the caller.
          const taken = await session.query(
            `INSERT INTO idempotency_keys AS k (environment_id, key, fingerprint, token, lease_until)
             SELECT $1::bigint, $2::text, $3::bytea, $4::uuid, now() + ${LEASE} WHERE NOT EXISTS (
               SELECT FROM idempotency_keys WHERE ${isFormer('$5')}
                 AND (status IS NOT NULL OR lease_until >= now()))
             ON CONFLICT (environment_id, key) DO UPDATE
             SET fingerprint = excluded.fingerprint, token = excluded.token,
                 lease_until = excluded.lease_until, status = NULL, body = NULL, operation_id = NULL,
                 created_at = now()
             WHERE (k.status IS NULL AND k.lease_until < now() AND k.fingerprint = excluded.fingerprint)
                OR (k.lease_until < now() AND k.created_at < now() - ${KEPT})
             RETURNING k.token`,
            [scope.environmentId, key, fingerprint, token, formerKey],
          );
          if (taken.length > 0) return { outcome: 'claimed', claim: { key, token } };
          const [row] = await session.query<KeyRow>(
            `SELECT fingerprint, status, body, operation_id AS "operationId" FROM idempotency_keys
             WHERE environment_id = $1 AND key = $2 OR ${isFormer('$4')} ORDER BY key = $2 DESC LIMIT 1`,
            [scope.environmentId, key, fingerprint, formerKey],
          );
          return row === undefined ? { outcome: 'in_progress' } : outcomeOf(row, fingerprint);
        },
        signal,
      );
    },

    async renew(scope, { key, token }) {
      return change(
        scope,
        `UPDATE idempotency_keys SET lease_until = now() + ${LEASE}
         WHERE key = $1 AND token = $2 AND status IS NULL RETURNING key`,
        [key, token],
      );
    },

    async release(scope, { key, token }) {
      await change(
        scope,
        `DELETE FROM idempotency_keys
         WHERE key = $1 AND token = $2 AND status IS NULL RETURNING key`,
        [key, token],
      );
    },
  };

  async function change(scope: Scope, text: string, values: readonly unknown[]): Promise<boolean> {
    const rows = await doors.withEntities({ ...scope, locks: [] }, (session) =>
      session.query(text, values),
    );
    return rows.length > 0;
  }
}

/** Stores the response to a request, in the same transaction as the effect of the request. */
export async function completeClaim(
  { session }: WriteContext,
  { key, token }: IdempotencyClaim,
  { status, body }: CompletedAnswer,
): Promise<void> {
  const rows = await session.query(
    `UPDATE idempotency_keys SET status = $3, body = $4,
       operation_id = ${CURRENT_OPERATION}
     WHERE key = $1 AND token = $2 AND status IS NULL RETURNING key`,
    [key, token, status, JSON.stringify(body)],
  );
  if (rows.length > 0) return;
  throw new StoreUnavailable(
    'This request took too long, and another request with the same idempotency key has begun.',
  );
}

function outcomeOf(
  { fingerprint, status, body, operationId }: KeyRow,
  requested: Uint8Array,
): ClaimOutcome {
  if (Buffer.compare(fingerprint, requested) !== 0) return { outcome: 'mismatch' };
  if (status === null) return { outcome: 'in_progress' };
  return { outcome: 'completed', answer: { status, body }, operationId };
}
