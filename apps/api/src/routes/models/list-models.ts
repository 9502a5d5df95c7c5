import { listModelsContract } from '@sightline/contracts/models/list-models-contract';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { presentModel } from './present-model.ts';

const Cursor = z.tuple([z.literal('models'), z.int()]).transform(([, id]) => id);

export const listModelsRoute = defineRoute(listModelsContract, {
  async handler({ database, parts }, { query, scope, signal }) {
    const body = await readList(
      {
        read: (after: number | null, limit) =>
          database.withScope(scope, ({ models }) => models.list({ after, limit }), signal),
        positionOf: ({ id }) => id,
        cursorOf: (id) => ['models', id],
        present: presentModel,
      },
      {
        after: decodeCursor(Cursor, query.cursor),
        limit: query.limit,
        inTurn: (read) => parts.run(scope, read, signal),
      },
    );
    return { status: 200, body };
  },
});
