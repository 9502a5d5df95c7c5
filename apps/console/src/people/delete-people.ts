import type { Api } from '../client/api.ts';

export interface DeletedPeople {
  readonly deleted: number;
  /** The operations with which the people can be brought back. */
  readonly operationIds: readonly number[];
}

/** The number of the latest deletions among which the one of a lost answer is looked for. */
const LOOKED_AT = 10;

/**
 * Deletes people. The endpoint takes no key, so a retry after a lost answer finds no person to delete. Its operation is
 * then looked for in the history, by the people whom it deleted.
 *
 * @param wasLost whether the answer to an earlier request was lost
 */
export async function deletePeople(
  api: Pick<Api, 'read' | 'send'>,
  ids: readonly number[],
  wasLost: boolean,
): Promise<DeletedPeople> {
  const { body, operationId } = await api.send('deleteIdentities', {
    body: { identity_ids: [...ids] },
  });
  const now = { deleted: body.deleted, operationIds: operationId === null ? [] : [operationId] };
  if (!wasLost || body.deleted >= ids.length) return now;
  // Without the history, the people are still deleted, and the person is to know it.
  const before = await findDeletion(api, ids, operationId).catch(() => null);
  if (before === null) return now;
  return {
    deleted: now.deleted + before.deleted,
    operationIds: [...before.operationIds, ...now.operationIds],
  };
}

/** Finds the latest other operation that deleted any of the people and was not taken back. */
async function findDeletion(
  api: Pick<Api, 'read'>,
  ids: readonly number[],
  other: number | null,
): Promise<DeletedPeople | null> {
  const wanted = new Set(ids);
  const { items } = await api.read('listOperations', {
    query: { kind: 'delete_identities', limit: LOOKED_AT },
  });
  for (const { id } of items.filter((each) => each.undoable && each.id !== other)) {
    const deleted = await countDeleted(api, id, wanted);
    if (deleted > 0) return { deleted, operationIds: [id] };
  }
  return null;
}

/** Counts the people whom an operation deleted. They come before its other records. */
async function countDeleted(
  api: Pick<Api, 'read'>,
  id: number,
  wanted: ReadonlySet<number>,
): Promise<number> {
  let count = 0;
  for (let cursor: string | null | undefined = undefined; cursor !== null;) {
    const page = await readItems(api, id, cursor);
    const people = page.items.filter((item) => item.identity_id !== null);
    count += people.filter((item) => item.after === null && wanted.has(item.identity_id!)).length;
    cursor = people.length === page.items.length ? page.next_cursor : null;
  }
  return count;
}

function readItems(api: Pick<Api, 'read'>, id: number, cursor: string | undefined) {
  return api.read('listOperationItems', {
    path: { id },
    query: { limit: 200, ...(cursor !== undefined && { cursor }) },
  });
}
