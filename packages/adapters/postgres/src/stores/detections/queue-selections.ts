import type { QueueSelections } from '@sightline/core/detections/queue-selection';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import type { ReadContext } from '../database/store-context.ts';
import { ANY_LEAVING } from './review-queue.ts';
import { selectedFaces } from './selected-faces.ts';
import { readGroups } from './suggestion-groups.ts';

export function queueSelections({ session }: ReadContext): QueueSelections {
  return {
    async groups(filter, page) {
      const isSettled = await areSettled(session);
      return readGroups(session, filter, { ...page, isSettled });
    },

    async count(selection) {
      const statement = selectedFaces(selection, await areSettled(session))?.count();
      if (statement === undefined) return 0;
      const [row] = await session.query<{ count: number }>(statement.text, statement.values);
      return row!.count;
    },

    async ids(selection, { after, limit }) {
      const statement = selectedFaces(selection, await areSettled(session))?.behind(after, limit);
      return statement === undefined ? [] : idsOf(session, statement);
    },

    async among(selection, ids) {
      const statement = selectedFaces(selection, await areSettled(session))?.among(ids);
      return statement === undefined ? [] : idsOf(session, statement);
    },
  };
}

async function idsOf(
  session: TransactionSession,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<readonly number[]> {
  const rows = await session.query<{ id: number }>(text, values);
  return rows.map(({ id }) => id);
}

/** Whether no identity is in the middle of its deletion or merge. */
async function areSettled(session: TransactionSession): Promise<boolean> {
  const [row] = await session.query<{ any: boolean }>(ANY_LEAVING);
  return !row!.any;
}
