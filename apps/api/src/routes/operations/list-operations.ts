import { listOperationsContract } from '@sightline/contracts/operations/list-operations-contract';
import { Forbidden } from '@sightline/core/access/access-errors';
import type { Operation } from '@sightline/core/operations/operation';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentPage } from '../../http/read-list.ts';
import { mayKnowActors, namesFor, presentOperation } from './present-operation.ts';

const Cursor = z.tuple([z.literal('operations'), z.int()]).transform(([, id]) => id);

export const listOperationsRoute = defineRoute(listOperationsContract, {
  async handler({ database, accounts }, { query, caller, scope, signal }) {
    const { account_id: accountId, key_id: keyId } = query;
    if ((accountId ?? keyId) !== undefined && !mayKnowActors(caller)) {
      throw new Forbidden(
        'This right does not show who made an operation, so it does not filter by it.',
      );
    }
    const filter = {
      identityId: query.identity_id,
      detectionId: query.detection_id,
      kind: query.kind,
      accountId,
      keyId,
      since: query.since,
      until: query.until,
    };
    const before = decodeCursor(Cursor, query.cursor);
    const page = await database.withScope(
      scope,
      ({ operations }) => operations.list(filter, { before, limit: query.limit }),
      signal,
    );
    const names = await namesFor(caller, accounts, page.items);
    const body = presentPage(
      {
        positionOf: ({ id }: Operation) => id,
        cursorOf: (id) => ['operations', id],
        present: (operation) => presentOperation(operation, names),
      },
      page,
    );
    return { status: 200, body };
  },
});
