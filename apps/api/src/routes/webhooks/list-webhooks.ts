import { listWebhooksContract } from '@sightline/contracts/webhooks/list-webhooks-contract';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { presentWebhook } from './present-webhook.ts';

const Cursor = z.tuple([z.literal('webhooks'), z.int()]).transform(([, id]) => id);

export const listWebhooksRoute = defineRoute(listWebhooksContract, {
  async handler({ database, parts }, { query, scope, signal }) {
    const body = await readList(
      {
        read: (before: number | null, limit) =>
          database.withScope(scope, ({ webhooks }) => webhooks.list({ before, limit }), signal),
        positionOf: ({ id }) => id,
        cursorOf: (id) => ['webhooks', id],
        present: presentWebhook,
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
