import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { DetectionType } from '@sightline/core/detection-type';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { and, eq, isNull, or, sql } from '../../drizzle.ts';
import { identities } from '../../schema/identities.ts';
import { counterDeltas } from '../../schema/projections.ts';
import { anyOf } from '../database/any-of.ts';
import { seenId } from './seen-identity.ts';

export interface IdentityRows {
  /** Null if the identity does not exist or is being deleted or merged. Such an identity has no rows. */
  readonly type: DetectionType | null;
  /**
   * The ids by which rows refer to the identity: its own id, and the ids of identities that are being merged into it.
   */
  readonly rowIds: readonly number[];
  readonly size: number;
}

export async function rowsOfIdentities(
  db: NodePgDatabase,
  identityIds: readonly number[],
): Promise<readonly IdentityRows[]> {
  const uniqueIds = [...new Set(identityIds)];
  if (uniqueIds.length === 0) return [];
  const { id, deletingSince, mergedInto } = identities;
  const identity = sql.raw(seenId('identities')).mapWith(id);
  const size = db
    .select({ size: sql`coalesce(sum(${counterDeltas.delta}), 0)` })
    .from(counterDeltas)
    .where(and(eq(counterDeltas.counter, 'identity.detections'), eq(counterDeltas.subjectId, id)));
  const rows = await db
    .select({
      rowId: id,
      type: identities.type,
      identity,
      size: sql<number>`(${size})`.mapWith(Number),
    })
    .from(identities)
    .where(or(and(anyOf(id, uniqueIds), isNull(deletingSince)), anyOf(mergedInto, uniqueIds)));
  const groups = Map.groupBy(rows, (row) => row.identity);
  return uniqueIds.map((uniqueId) => {
    const own = groups.get(uniqueId) ?? [];
    return {
      type: own[0]?.type ?? null,
      rowIds: own.map(({ rowId }) => rowId),
      size: own.reduce((sum, row) => sum + row.size, 0),
    };
  });
}

/** Returns the ids by which rows refer to an identity. Does not check that the identity exists. */
export async function rowIdsOfIdentity(
  session: TransactionSession,
  id: number,
): Promise<readonly number[]> {
  const merging = await session.query<{ id: number }>(
    'SELECT id FROM identities WHERE merged_into = $1',
    [id],
  );
  return [id, ...merging.map((row) => row.id)];
}
